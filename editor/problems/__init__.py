"""What is wrong with the draft, while it is drawn: checked beside the window, shown, gone to and fixed.

    document -> Checker -> a process that checks -> problems -> panel, marks on the canvas, status bar

What is wrong is said by `engine.raid.problems` alone, the same that the command line and loading ask.
"""
