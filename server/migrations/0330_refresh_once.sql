-- A pair of tokens is exchanged once. From this random value and the pair's own refresh token, which is kept nowhere, the
-- next pair is made, so that whoever asks again from the same address within the grace gets the same one.
alter table session_tokens
  add column next_salt bytea,
  add column replaced_from text;
