"""A withdrawal deletes by a function of the tables' owner: the application's role cannot delete.

SPDX-License-Identifier: Apache-2.0
"""

from alembic import op

revision = "0012"
down_revision = "0014"


def upgrade() -> None:
    # One participant at a time, and never without the tombstone that makes it seen. The triggers
    # let pass what is deleted while the setting holds, which ends with the function.
    op.execute(
        """
        create function delete_answers(leaving bigint) returns setof bigint
        language plpgsql security definer
        set search_path = pg_catalog, public, pg_temp
        as $$
        begin
            update participant set withdrawn_at = now()
                where id = leaving and withdrawn_at is null;
            if not found then
                return;
            end if;
            perform set_config('thinlab.withdrawing', 'yes', true);
            return query select t.id from typing_session t
                join presentation p on p.id = t.presentation_id
                where p.participant_id = leaving order by t.id;
            delete from keystroke k using typing_session t, presentation p
                where k.session_id = t.id and t.presentation_id = p.id
                and p.participant_id = leaving;
            delete from typing_session t using presentation p
                where t.presentation_id = p.id and p.participant_id = leaving;
            delete from vote v using presentation p
                where v.presentation_id = p.id and p.participant_id = leaving;
            delete from recording_fetch f using presentation p
                where f.presentation_id = p.id and p.participant_id = leaving;
            delete from presentation where participant_id = leaving;
            delete from headphone_test where participant_id = leaving;
            delete from questionnaire_answer where participant_id = leaving;
            delete from exclusion_entry where participant_id = leaving;
            delete from allocation where participant_id = leaving;
            perform set_config('thinlab.withdrawing', '', true);
        end
        $$
        """
    )
    op.execute("revoke all on function delete_answers from public")


def downgrade() -> None:
    op.execute("drop function delete_answers")
