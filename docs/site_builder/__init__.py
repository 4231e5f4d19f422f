"""The site's pages that are made from the sources: includes, the reference, tables and pictures.

``includes``    parts of Markdown files of the project within a page, and links that lead to pages
``layers``      the pages of the layer classes, a family each
``functions``   the pages of public functions and classes, for mkdocstrings
``namespace``   the table of the functions of ``xp``
``overview``    tables of the pages of a folder, with a link to each entry
``pictures``    activations and schedules as curves
``svg``         a small plotting routine: curves as static SVG
``examples``    examples in docstrings as fenced blocks of Markdown

``griffe_extension`` brings examples, and the constructors that attrs makes, to mkdocstrings.

All but the extension import only ``layertree``, ``symbolic`` and the samples of the tests, so that the tests run them.
``docs/hooks.py`` calls them when MkDocs builds the site.
"""
