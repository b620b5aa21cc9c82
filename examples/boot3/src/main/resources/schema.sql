create table if not exists orders (id uuid primary key, customer varchar(100) not null, cents bigint not null);
