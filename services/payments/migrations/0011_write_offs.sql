-- Debts of owners that an admin ended. The operator bears them: movement `write-off:{id}`.
CREATE TABLE write_offs (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  owner_id uuid NOT NULL,
  admin_id uuid NOT NULL,
  cents bigint NOT NULL CHECK (cents > 0),
  reason text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);

-- An inquiry takes no money, but may last 120 days. Owners wait for it unless an admin waives it.
ALTER TABLE disputes
  ADD COLUMN waived_at timestamptz,
  ADD COLUMN waived_by uuid,
  ADD CHECK ((waived_at IS NULL) = (waived_by IS NULL));
