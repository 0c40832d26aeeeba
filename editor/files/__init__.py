"""Files in and out: opened and repaired, saved and kept safe, watched and compared.

    reading -> which kind of file it is, and what it holds where nothing is wrong with it
    opening -> Opened (draft, what was repaired, what has to be decided)
    saving  -> the draft's bytes on disk, or NotSaved

All these are without Qt. `keeper.FileKeeper` is what the window uses: it opens and saves its document, asks
what has to be asked, and holds the bars that tell what happened to the file. With it are `outside` (what
other programs do to the file, as `watching` sees it), `versions` (back to an earlier one) and `rescue` (what
`recovery` has kept of other sessions).
"""
