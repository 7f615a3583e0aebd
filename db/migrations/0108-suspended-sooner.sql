-- Asked with every call of somebody who is signed in: in this language its plan is kept, in SQL it was made each time.
-- Owner: server/moderation.

CREATE OR REPLACE FUNCTION is_suspended(person uuid) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN EXISTS (SELECT FROM suspensions WHERE user_id = person AND ended_at IS NULL);
END $$;
