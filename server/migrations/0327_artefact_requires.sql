-- What an artefact requires of a node, in place of its rendering for nodes of an older schema.

create table artefact_requires (
  artefact bytea not null,
  feature text not null,
  primary key (artefact, feature)
);
grant select, insert, update, delete on artefact_requires to breakwater_system;
drop table artefacts_before;
