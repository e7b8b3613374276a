-- Two roles for one database: who owns the tables, and who fills them. Run by a superuser, in that database, as often as
-- one likes; `thinlab migrate` does it where it is given a superuser's address, the postgres container at every start.
-- SPDX-License-Identifier: Apache-2.0

do $$
begin
    if to_regrole('thinlab_owner') is null then
        create role thinlab_owner nologin;
    end if;
    if to_regrole('thinlab_app') is null then
        create role thinlab_app login;
    end if;
end
$$;

-- Whatever somebody has given them since.
alter role thinlab_owner nosuperuser nocreatedb nocreaterole noreplication nobypassrls;
alter role thinlab_app nosuperuser nocreatedb nocreaterole noreplication nobypassrls;

do $$
declare
    other name;
begin
    for other in
        select g.rolname from pg_auth_members m join pg_roles g on g.oid = m.roleid
        where m.member in ('thinlab_owner'::regrole, 'thinlab_app'::regrole)
    loop
        execute format('revoke %I from thinlab_owner, thinlab_app', other);
    end loop;
    execute format('alter database %I owner to thinlab_owner', current_database());
    execute format('revoke all on database %I from public', current_database());
    execute format('grant connect on database %I to thinlab_app', current_database());
end
$$;

alter schema public owner to thinlab_owner;
revoke all on schema public from public;
grant usage on schema public to thinlab_app;

-- What an installation of before has made as a superuser.
do $$
declare
    thing text;
begin
    for thing in
        select format('table %s', oid::regclass) from pg_class
        where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and relowner <> 'thinlab_owner'::regrole
        union all
        select format('function %s', oid::regprocedure) from pg_proc
        where pronamespace = 'public'::regnamespace and proowner <> 'thinlab_owner'::regrole
    loop
        execute format('alter %s owner to thinlab_owner', thing);
    end loop;
end
$$;
