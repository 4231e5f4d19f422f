"""Training: ``fit``, the loop over epochs and batches, and its records.

``fit``          the loop; start there
``batches``      the data of a run: arrays with a common first axis, in batches of rows
``evaluation``   objective and metrics as one formula, and the means of their values over batches
``history``      the records of epochs, as a table
``progress``     the progress line on a terminal

Optimizers and schedules are in ``layertree.updates``. This room may import all rooms but datasets and demo.
"""
