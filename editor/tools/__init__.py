"""The tools: each turns pointer and keys into edits of the document, and shows what a click would do."""
