-- By which way in a session began: 'password', 'google', 'github', 'passkey' and its id, 'link' of a mail, 'new' account. Sessions of the release before have none. Whoever takes a way in
-- away ends the sessions elsewhere that began by it. Owner: server/identity.
ALTER TABLE sessions ADD COLUMN way_in text;
