-- When the acceptance of a pending approval takes effect, unless its owner undoes it; null if none waits.
ALTER TABLE approvals ADD COLUMN charges_at timestamptz;
