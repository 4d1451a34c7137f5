CREATE TABLE customers (id int PRIMARY KEY, name text NOT NULL, email text);
INSERT INTO customers VALUES (1, 'Grace Hopper', 'grace@example.com'), (2, 'Edsger Dijkstra', 'edsger@example.com');
