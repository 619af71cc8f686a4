"""Published sets of documents with questions, read as they are: one module a format.

Each gives the documents, and the questions as rows with our own field names, so that nothing that
reads questions needs to know where they come from.
"""
