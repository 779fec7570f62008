-- When all nodes of a step had what it brings at work; from then on the step is watched.
alter table rollouts add column ready_at timestamptz;
