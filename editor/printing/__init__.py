"""Print and play: a map and its scenario on paper at true scale, as one PDF.

    print_pdf(scenario or map, PrintOptions, path)  ->  booklet(...) -> Page(name, part, paint)

A `Page` paints itself on anything, in hundredths of a millimetre from the paper's upper left corner:
the PDF, the preview and the tests draw the very same. What there is to print follows from the scenario
alone (`pieces`); how a map is cut into sheets is arithmetic (`tiling`).
"""
