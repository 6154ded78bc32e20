-- Something of the walk could not be mended: the next one begins there again.
ALTER TABLE reconciliations ADD COLUMN has_failed boolean NOT NULL DEFAULT false;
