-- Whether a report hides its content. "disable" leaves this as it was.
ALTER TABLE reports ADD COLUMN hides boolean NOT NULL DEFAULT false;
UPDATE reports SET hides = true WHERE decision = 'hide';
