create table if not exists orders (id uuid primary key, customer text not null, cents bigint not null);
