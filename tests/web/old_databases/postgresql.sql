CREATE TABLE draws (
    game character varying(64) NOT NULL,
    number integer NOT NULL,
    turn integer NOT NULL,
    seat integer,
    event text NOT NULL
);
CREATE TABLE games (
    id character varying(64) NOT NULL,
    name character varying(64) NOT NULL,
    settings text NOT NULL,
    deal text,
    seed bigint NOT NULL,
    name_one text NOT NULL,
    name_two text NOT NULL,
    who_one character varying(64) NOT NULL,
    who_two character varying(64) NOT NULL,
    token_one character varying(64),
    token_two character varying(64),
    started character varying(32) NOT NULL,
    touched bigint NOT NULL,
    arranged boolean NOT NULL,
    version integer NOT NULL,
    over boolean NOT NULL,
    previous character varying(64),
    rematch character varying(64)
);
CREATE TABLE moves (
    game character varying(64) NOT NULL,
    turn integer NOT NULL,
    seat integer NOT NULL,
    move text NOT NULL,
    CONSTRAINT moves_seat_check CHECK ((seat = ANY (ARRAY[0, 1])))
);
CREATE UNLOGGED TABLE people (
    process bigint NOT NULL,
    game character varying(64) NOT NULL,
    seat integer NOT NULL
);
CREATE TABLE resignations (
    game character varying(64) NOT NULL,
    seat integer NOT NULL
);
CREATE TABLE schema_steps (
    step integer NOT NULL,
    taken bigint NOT NULL
);
INSERT INTO draws VALUES ('drawn', 0, 1, 0, '9');
INSERT INTO draws VALUES ('drawn', 1, 2, 1, '10');
INSERT INTO draws VALUES ('drawn', 2, 3, 0, '9');
INSERT INTO draws VALUES ('drawn', 3, 4, 1, '8');
INSERT INTO draws VALUES ('drawn', 4, 5, 0, '8');
INSERT INTO draws VALUES ('drawn', 5, 6, 1, '6');
INSERT INTO games VALUES ('dropped', 'number-drop', '{"first": 1, "side": 3}', '261395748 286913547', 4, 'Ann', 'Bo', 'human', 'human', '6b161b5f29951b512a5fac998009fab6949add907b0bdc608a68b8028fe541f7', '75b8751479c3d9fcf0177211c4707b69b574794384bf9002b12121f2f5076bb1', '2026-11-15T17:53:01Z', 1794765182, true, 6, false, NULL, NULL);
INSERT INTO games VALUES ('finished', 'number-knot', '{"first": 1, "life": 10, "numbers": 9, "exhausted": "draw"}', NULL, 4, 'Ann', 'Bo', 'human', 'human', '4776ecfeae41b739713b352e2596f316252ad0279e27374b63fb309ba19cc16d', '2b619978a691bd27a968535f300c8918d3b0bc50d05695ebbcc598a83fc169a4', '2026-11-15T17:52:58Z', 1794765180, true, 9, true, NULL, NULL);
INSERT INTO games VALUES ('chosen', 'number-bid', '{"numbers": 10}', NULL, 4, 'Ann', 'Bo', 'human', 'human', '6b8cc38e2ceb4222ee025af65f273e062af65df9db8f6a42a8691db2f0b87331', 'e443d0e5ed35e7fd4d4ac06751268372a17b4a627a560d5e2a881a4ca0c0d62b', '2026-11-15T17:53:01Z', 1794765181, true, 9, false, NULL, NULL);
INSERT INTO games VALUES ('drawn', 'number-stack-showdown', '{"first": 1, "target": 50, "highest": 10, "copies": 4, "overflow": "forbidden"}', NULL, 4, 'Ann', 'Bo', 'human', 'human', 'aa08bbf88ab63612ef81ba322f3791347a5214992efa433ef061b6d75c861989', '214405685bed68a9c6a08d44e3971786dd792086ae34483bf1a66dbf595c50e4', '2026-11-15T17:53:00Z', 1794765181, true, 13, false, NULL, NULL);
INSERT INTO games VALUES ('resigned', 'high-low-battle', '{"cards": 9, "rounds": 5, "level": "sudden-death"}', NULL, 4, 'Ann', 'Bo', 'human', 'human', '4c2875290fef278e4b36036c340a2490c3f93721de3d0a8d5640c6014d4309ab', '34c3bd92896900d954c8db9b92d35af57bc737399f5a9bf1fc4562d439d59567', '2026-11-15T17:53:01Z', 1794765181, true, 8, true, NULL, NULL);
INSERT INTO moves VALUES ('finished', 1, 0, 'A3');
INSERT INTO moves VALUES ('finished', 2, 1, 'A2');
INSERT INTO moves VALUES ('finished', 3, 0, 'A5');
INSERT INTO moves VALUES ('finished', 4, 1, 'S1');
INSERT INTO moves VALUES ('finished', 5, 0, 'S8');
INSERT INTO moves VALUES ('finished', 6, 1, 'S9');
INSERT INTO moves VALUES ('finished', 7, 0, 'S6');
INSERT INTO moves VALUES ('drawn', 1, 0, 'g');
INSERT INTO moves VALUES ('drawn', 2, 1, 'k');
INSERT INTO moves VALUES ('drawn', 3, 0, 'k');
INSERT INTO moves VALUES ('drawn', 4, 1, 'g');
INSERT INTO moves VALUES ('drawn', 5, 0, 'k');
INSERT INTO moves VALUES ('chosen', 1, 0, '7');
INSERT INTO moves VALUES ('chosen', 1, 1, '7');
INSERT INTO moves VALUES ('chosen', 2, 0, '1');
INSERT INTO moves VALUES ('chosen', 2, 1, '9');
INSERT INTO moves VALUES ('chosen', 3, 0, '4');
INSERT INTO moves VALUES ('chosen', 3, 1, '8');
INSERT INTO moves VALUES ('chosen', 4, 1, '3');
INSERT INTO moves VALUES ('resigned', 1, 0, '2');
INSERT INTO moves VALUES ('resigned', 1, 1, '6');
INSERT INTO moves VALUES ('resigned', 2, 0, '1');
INSERT INTO moves VALUES ('resigned', 2, 1, '1');
INSERT INTO moves VALUES ('resigned', 3, 0, '3');
INSERT INTO moves VALUES ('dropped', 1, 0, '9-7');
INSERT INTO moves VALUES ('dropped', 2, 1, '3+1');
INSERT INTO moves VALUES ('dropped', 3, 0, '8+6');
INSERT INTO moves VALUES ('dropped', 4, 1, '7+5');
INSERT INTO resignations VALUES ('resigned', 1);
INSERT INTO schema_steps VALUES (1, 1794765178);
INSERT INTO schema_steps VALUES (2, 1794765178);
INSERT INTO schema_steps VALUES (3, 1794765178);
ALTER TABLE ONLY draws
    ADD CONSTRAINT draws_pkey PRIMARY KEY (game, number);
ALTER TABLE ONLY games
    ADD CONSTRAINT games_pkey PRIMARY KEY (id);
ALTER TABLE ONLY games
    ADD CONSTRAINT games_previous_key UNIQUE (previous);
ALTER TABLE ONLY games
    ADD CONSTRAINT games_rematch_key UNIQUE (rematch);
ALTER TABLE ONLY moves
    ADD CONSTRAINT moves_pkey PRIMARY KEY (game, turn, seat);
ALTER TABLE ONLY people
    ADD CONSTRAINT people_pkey PRIMARY KEY (process, game, seat);
ALTER TABLE ONLY resignations
    ADD CONSTRAINT resignations_pkey PRIMARY KEY (game);
ALTER TABLE ONLY schema_steps
    ADD CONSTRAINT schema_steps_pkey PRIMARY KEY (step);
CREATE INDEX games_unfinished ON games USING btree (touched) WHERE (NOT over);
CREATE INDEX ix_games_touched ON games USING btree (touched);
CREATE INDEX ix_people_game ON people USING btree (game);
ALTER TABLE ONLY draws
    ADD CONSTRAINT draws_game_fkey FOREIGN KEY (game) REFERENCES games(id) ON DELETE CASCADE;
ALTER TABLE ONLY moves
    ADD CONSTRAINT moves_game_fkey FOREIGN KEY (game) REFERENCES games(id) ON DELETE CASCADE;
ALTER TABLE ONLY resignations
    ADD CONSTRAINT resignations_game_fkey FOREIGN KEY (game) REFERENCES games(id) ON DELETE CASCADE;
