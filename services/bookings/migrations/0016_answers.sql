-- When the owner answered. A trigger sets it, because replicas of 1.0 answer too. Null for older approvals that were not accepted.
ALTER TABLE approvals ADD COLUMN answered_at timestamptz;
CREATE FUNCTION time_answer() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.answered_at = now();
  RETURN NEW;
END $$;
CREATE TRIGGER time_answer BEFORE UPDATE OF status ON approvals FOR EACH ROW
  WHEN (OLD.status = 'pending' AND (NEW.status IN ('accepted', 'done') OR NEW.status = 'declined' AND NEW.ended_by = 'owner'))
  EXECUTE FUNCTION time_answer();

-- When the first message of a question was sent, and when its owner replied first. Each is null until its event arrives. A question that a
-- booking continued without a reply counts as no question.
CREATE TABLE question_answers (
  thread_id uuid PRIMARY KEY,
  owner_id uuid NOT NULL,
  sent_at timestamptz,
  answered_at timestamptz,
  is_continued boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX question_answers_of_owner ON question_answers (owner_id, sent_at);
CREATE INDEX question_answers_by_age ON question_answers (created_at);
