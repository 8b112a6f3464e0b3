BEGIN TRANSACTION;
CREATE TABLE draws (
	game VARCHAR(64) NOT NULL,
	number INTEGER NOT NULL,
	turn INTEGER NOT NULL,
	seat INTEGER,
	event TEXT NOT NULL,
	PRIMARY KEY (game, number),
	FOREIGN KEY(game) REFERENCES games (id) ON DELETE CASCADE
);
INSERT INTO "draws" VALUES('drawn',0,1,0,'9');
INSERT INTO "draws" VALUES('drawn',1,2,1,'10');
INSERT INTO "draws" VALUES('drawn',2,3,0,'9');
INSERT INTO "draws" VALUES('drawn',3,4,1,'8');
INSERT INTO "draws" VALUES('drawn',4,5,0,'8');
INSERT INTO "draws" VALUES('drawn',5,6,1,'6');
CREATE TABLE games (
	id VARCHAR(64) NOT NULL,
	name VARCHAR(64) NOT NULL,
	settings TEXT NOT NULL,
	deal TEXT,
	seed BIGINT NOT NULL,
	name_one TEXT NOT NULL,
	name_two TEXT NOT NULL,
	who_one VARCHAR(64) NOT NULL,
	who_two VARCHAR(64) NOT NULL,
	token_one VARCHAR(64),
	token_two VARCHAR(64),
	started VARCHAR(32) NOT NULL,
	touched BIGINT NOT NULL,
	arranged BOOLEAN NOT NULL,
	version INTEGER NOT NULL,
	over BOOLEAN NOT NULL,
	previous VARCHAR(64),
	rematch VARCHAR(64),
	PRIMARY KEY (id),
	UNIQUE (previous),
	UNIQUE (rematch)
);
INSERT INTO "games" VALUES('finished','number-knot','{"first": 1, "life": 10, "numbers": 9, "exhausted": "draw"}',NULL,4,'Ann','Bo','human','human','4776ecfeae41b739713b352e2596f316252ad0279e27374b63fb309ba19cc16d','2b619978a691bd27a968535f300c8918d3b0bc50d05695ebbcc598a83fc169a4','2026-11-15T17:52:47Z',1794765167,1,9,1,NULL,NULL);
INSERT INTO "games" VALUES('drawn','number-stack-showdown','{"first": 1, "target": 50, "highest": 10, "copies": 4, "overflow": "forbidden"}',NULL,4,'Ann','Bo','human','human','aa08bbf88ab63612ef81ba322f3791347a5214992efa433ef061b6d75c861989','214405685bed68a9c6a08d44e3971786dd792086ae34483bf1a66dbf595c50e4','2026-11-15T17:52:47Z',1794765168,1,13,0,NULL,NULL);
INSERT INTO "games" VALUES('chosen','number-bid','{"numbers": 10}',NULL,4,'Ann','Bo','human','human','6b8cc38e2ceb4222ee025af65f273e062af65df9db8f6a42a8691db2f0b87331','e443d0e5ed35e7fd4d4ac06751268372a17b4a627a560d5e2a881a4ca0c0d62b','2026-11-15T17:52:48Z',1794765168,1,9,0,NULL,NULL);
INSERT INTO "games" VALUES('resigned','high-low-battle','{"cards": 9, "rounds": 5, "level": "sudden-death"}',NULL,4,'Ann','Bo','human','human','4c2875290fef278e4b36036c340a2490c3f93721de3d0a8d5640c6014d4309ab','34c3bd92896900d954c8db9b92d35af57bc737399f5a9bf1fc4562d439d59567','2026-11-15T17:52:48Z',1794765169,1,8,1,NULL,NULL);
INSERT INTO "games" VALUES('dropped','number-drop','{"first": 1, "side": 3}','261395748 286913547',4,'Ann','Bo','human','human','6b161b5f29951b512a5fac998009fab6949add907b0bdc608a68b8028fe541f7','75b8751479c3d9fcf0177211c4707b69b574794384bf9002b12121f2f5076bb1','2026-11-15T17:52:49Z',1794765169,1,6,0,NULL,NULL);
CREATE TABLE moves (
	game VARCHAR(64) NOT NULL,
	turn INTEGER NOT NULL,
	seat INTEGER NOT NULL CHECK (seat IN (0, 1)),
	move TEXT NOT NULL,
	PRIMARY KEY (game, turn, seat),
	FOREIGN KEY(game) REFERENCES games (id) ON DELETE CASCADE
);
INSERT INTO "moves" VALUES('finished',1,0,'A3');
INSERT INTO "moves" VALUES('finished',2,1,'A2');
INSERT INTO "moves" VALUES('finished',3,0,'A5');
INSERT INTO "moves" VALUES('finished',4,1,'S1');
INSERT INTO "moves" VALUES('finished',5,0,'S8');
INSERT INTO "moves" VALUES('finished',6,1,'S9');
INSERT INTO "moves" VALUES('finished',7,0,'S6');
INSERT INTO "moves" VALUES('drawn',1,0,'g');
INSERT INTO "moves" VALUES('drawn',2,1,'k');
INSERT INTO "moves" VALUES('drawn',3,0,'k');
INSERT INTO "moves" VALUES('drawn',4,1,'g');
INSERT INTO "moves" VALUES('drawn',5,0,'k');
INSERT INTO "moves" VALUES('chosen',1,0,'7');
INSERT INTO "moves" VALUES('chosen',1,1,'7');
INSERT INTO "moves" VALUES('chosen',2,0,'1');
INSERT INTO "moves" VALUES('chosen',2,1,'9');
INSERT INTO "moves" VALUES('chosen',3,0,'4');
INSERT INTO "moves" VALUES('chosen',3,1,'8');
INSERT INTO "moves" VALUES('chosen',4,1,'3');
INSERT INTO "moves" VALUES('resigned',1,0,'2');
INSERT INTO "moves" VALUES('resigned',1,1,'6');
INSERT INTO "moves" VALUES('resigned',2,0,'1');
INSERT INTO "moves" VALUES('resigned',2,1,'1');
INSERT INTO "moves" VALUES('resigned',3,0,'3');
INSERT INTO "moves" VALUES('dropped',1,0,'9-7');
INSERT INTO "moves" VALUES('dropped',2,1,'3+1');
INSERT INTO "moves" VALUES('dropped',3,0,'8+6');
INSERT INTO "moves" VALUES('dropped',4,1,'7+5');
CREATE TABLE resignations (
	game VARCHAR(64) NOT NULL,
	seat INTEGER NOT NULL,
	PRIMARY KEY (game),
	FOREIGN KEY(game) REFERENCES games (id) ON DELETE CASCADE
);
INSERT INTO "resignations" VALUES('resigned',1);
CREATE TABLE schema_steps (
	step INTEGER NOT NULL,
	taken BIGINT NOT NULL,
	PRIMARY KEY (step)
);
INSERT INTO "schema_steps" VALUES(1,1794765166);
INSERT INTO "schema_steps" VALUES(2,1794765166);
INSERT INTO "schema_steps" VALUES(3,1794765166);
CREATE INDEX ix_games_touched ON games (touched);
CREATE INDEX games_unfinished ON games (touched) WHERE over = 0;
COMMIT;
