-- What throughput tests and bulk streams have shown of a link.
alter table link add column transfers text;
