"""A draft taken out of the editor: as JSON, as the text floor plan, as a picture, for virtual tabletops.

    export(draft, form, options) -> bytes        save(draft, form, options, path)

Every form is made here whole before a file is touched, and takes the file's place at once.
"""
