"""Files in and out: opened and mended, saved and kept safe, watched and compared.

    opening -> Opened (draft, what was repaired, what has to be decided)
    saving  -> the draft's bytes on disk, or NotSaved

All but `keeper`, `recovery` and `watching` is without Qt. `FileKeeper` is what the window uses: it opens and
saves its document, asks what has to be asked, and holds the bars that tell what happened to the file.
"""
