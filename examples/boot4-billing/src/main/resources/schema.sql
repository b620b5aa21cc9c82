-- No unique constraint on order_id: that there is one invoice for each order is the inbox's doing alone.
create table if not exists invoices (id bigint generated always as identity primary key, order_id uuid not null, cents bigint not null);
