-- When the user followed a link emailed to this address; null before that.
ALTER TABLE users ADD COLUMN email_verified_at timestamptz;

-- Allows the link in the welcome email. The table is small, so validating the constraint is quick.
ALTER TABLE mailed_tokens DROP CONSTRAINT mailed_tokens_purpose_check;
ALTER TABLE mailed_tokens ADD CONSTRAINT mailed_tokens_purpose_check
  CHECK (purpose IN ('password', 'email', 'verify'));
