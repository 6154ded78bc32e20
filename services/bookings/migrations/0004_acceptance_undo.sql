-- When an acceptance charges the card, unless the owner undoes it first; null if no acceptance is pending.
ALTER TABLE approvals ADD COLUMN charges_at timestamptz;
