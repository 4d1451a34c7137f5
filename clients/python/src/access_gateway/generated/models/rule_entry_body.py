from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define

from ..models.rule_entry_body_action import RuleEntryBodyAction
from ..models.rule_entry_body_detectors_item import RuleEntryBodyDetectorsItem
from ..models.rule_entry_body_file_operations_item import (
    RuleEntryBodyFileOperationsItem,
)
from ..models.rule_entry_body_hidden_commands import RuleEntryBodyHiddenCommands
from ..models.rule_entry_body_kinds_item import RuleEntryBodyKindsItem
from ..models.rule_entry_body_type import RuleEntryBodyType
from ..models.rule_entry_body_unparseable import RuleEntryBodyUnparseable
from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.table_condition_body import TableConditionBody


T = TypeVar("T", bound="RuleEntryBody")


@_attrs_define
class RuleEntryBody:
    """
    Attributes:
        type_ (RuleEntryBodyType): Rule kind: `deny_words_list` finds words (input and output); `pattern_match` finds
            matches of an RE2 regular expression (input and output); `sql_statement` finds what the statements do, where the
            target is PostgreSQL (input); `shell_command` finds what the commands of a shell script run, where the target is
            a server (input); `file_transfer` finds operations on files by SFTP, where the target is a server (input);
            `detector` finds sensitive data of known forms (output).
        words (list[str]): `deny_words_list`: words that are denied, anywhere and in any case. Empty in entries of other
            types.
        pattern_regex (str): `pattern_match`: RE2 regular expression that is denied. Empty in entries of other types.
        name (str | Unset): Name of the entry.
        message (str | Unset): Text shown to the user when this entry is hit.
        case_sensitive (bool | Unset): `deny_words_list`: the words are found in this case only.
        whole_word (bool | Unset): `deny_words_list`: the words are not found inside longer words.
        kinds (list[RuleEntryBodyKindsItem] | Unset): `sql_statement`: kinds of statements that are denied, wherever in
            the text they stand.
        without_where (bool | Unset): `sql_statement`: deny UPDATE and DELETE without WHERE.
        tables (list[TableConditionBody] | Unset): `sql_statement`: tables that are denied.
        functions (list[str] | Unset): `sql_statement`: functions that are denied, as `function` or `schema.function`.
        unparseable (RuleEntryBodyUnparseable | Unset): `sql_statement`: what becomes of a text that cannot be parsed or
            hides its effect. `refuse` unless given.
        programs (list[str] | Unset): `shell_command`: programs that are denied wherever in the script they run, by name
            or by absolute path; `*` and `?` stand for characters. Example: ['rm', 'mkfs*', '/opt/backup/bin/wipe'].
        program_arguments (list[str] | Unset): `shell_command`: the programs are denied only where each of these is
            among their arguments: an option such as `-r` (also found in `-rf`) or `--recursive`, a path such as `/etc/*`
            (also its parent folders), or another text; `*` and `?` stand for characters. Example: ['-r', '/etc/*'].
        redirects_to (list[str] | Unset): `shell_command`: absolute paths to which no output may be redirected; `*` and
            `?` stand for characters. Example: ['/etc/*', '/dev/sd*'].
        hidden_commands (RuleEntryBodyHiddenCommands | Unset): `shell_command`: what becomes of a script that cannot be
            read, or runs what is not in its text. `refuse` unless given.
        file_operations (list[RuleEntryBodyFileOperationsItem] | Unset): `file_transfer`: what is denied; everything
            unless given. `rename` is also a `delete` of the old path and a `write` of the new one; `link` also a `read` and
            a `write` of what it leads to; `write` is any change, also of attributes; `inspect` asks for attributes.
        file_paths (list[str] | Unset): `file_transfer`: absolute paths for which that is denied; `*` and `?` stand for
            characters, also for `/`. A folder that contains one cannot be renamed or linked to. Example: ['/etc/*',
            '/root/.ssh/*'].
        file_extensions (list[str] | Unset): `file_transfer`: ends of file names for which that is denied, in any case,
            without the dot before them. Example: ['exe', 'tar.gz'].
        file_bytes_over (int | Unset): `file_transfer`: files may be read and written up to so many bytes; what is
            beyond them is denied.
        detectors (list[RuleEntryBodyDetectorsItem] | Unset): `detector`: what is looked for.
        action (RuleEntryBodyAction | Unset): Output only: `mask` replaces matches instead of stopping the stream. A
            mask does not keep data from a person who writes their own queries (encodings, one character in a row, counts):
            grants, views, `tables` entries and approvals do. Default: `block`.
        keep_last (int | Unset): With `mask`: number of characters at the end that stay readable. Default: 0.
        arguments (list[str] | Unset): Input only: the entry reads only these arguments of the calls of tools: JSON
            pointers (RFC 6901), where `*` stands for any name or index. `sql_statement` reads each text there as
            PostgreSQL. The entry has no effect on connections without calls, such as those to PostgreSQL. Default:
            everything that is called for; `sql_statement` reads each text that is valid SQL. Example: ['/sql',
            '/queries/*'].
    """

    type_: RuleEntryBodyType
    words: list[str]
    pattern_regex: str
    name: str | Unset = UNSET
    message: str | Unset = UNSET
    case_sensitive: bool | Unset = UNSET
    whole_word: bool | Unset = UNSET
    kinds: list[RuleEntryBodyKindsItem] | Unset = UNSET
    without_where: bool | Unset = UNSET
    tables: list[TableConditionBody] | Unset = UNSET
    functions: list[str] | Unset = UNSET
    unparseable: RuleEntryBodyUnparseable | Unset = UNSET
    programs: list[str] | Unset = UNSET
    program_arguments: list[str] | Unset = UNSET
    redirects_to: list[str] | Unset = UNSET
    hidden_commands: RuleEntryBodyHiddenCommands | Unset = UNSET
    file_operations: list[RuleEntryBodyFileOperationsItem] | Unset = UNSET
    file_paths: list[str] | Unset = UNSET
    file_extensions: list[str] | Unset = UNSET
    file_bytes_over: int | Unset = UNSET
    detectors: list[RuleEntryBodyDetectorsItem] | Unset = UNSET
    action: RuleEntryBodyAction | Unset = UNSET
    keep_last: int | Unset = UNSET
    arguments: list[str] | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        type_ = self.type_.value

        words = self.words

        pattern_regex = self.pattern_regex

        name = self.name

        message = self.message

        case_sensitive = self.case_sensitive

        whole_word = self.whole_word

        kinds: list[str] | Unset = UNSET
        if not isinstance(self.kinds, Unset):
            kinds = []
            for kinds_item_data in self.kinds:
                kinds_item = kinds_item_data.value
                kinds.append(kinds_item)

        without_where = self.without_where

        tables: list[dict[str, Any]] | Unset = UNSET
        if not isinstance(self.tables, Unset):
            tables = []
            for tables_item_data in self.tables:
                tables_item = tables_item_data.to_dict()
                tables.append(tables_item)

        functions: list[str] | Unset = UNSET
        if not isinstance(self.functions, Unset):
            functions = self.functions

        unparseable: str | Unset = UNSET
        if not isinstance(self.unparseable, Unset):
            unparseable = self.unparseable.value

        programs: list[str] | Unset = UNSET
        if not isinstance(self.programs, Unset):
            programs = self.programs

        program_arguments: list[str] | Unset = UNSET
        if not isinstance(self.program_arguments, Unset):
            program_arguments = self.program_arguments

        redirects_to: list[str] | Unset = UNSET
        if not isinstance(self.redirects_to, Unset):
            redirects_to = self.redirects_to

        hidden_commands: str | Unset = UNSET
        if not isinstance(self.hidden_commands, Unset):
            hidden_commands = self.hidden_commands.value

        file_operations: list[str] | Unset = UNSET
        if not isinstance(self.file_operations, Unset):
            file_operations = []
            for file_operations_item_data in self.file_operations:
                file_operations_item = file_operations_item_data.value
                file_operations.append(file_operations_item)

        file_paths: list[str] | Unset = UNSET
        if not isinstance(self.file_paths, Unset):
            file_paths = self.file_paths

        file_extensions: list[str] | Unset = UNSET
        if not isinstance(self.file_extensions, Unset):
            file_extensions = self.file_extensions

        file_bytes_over = self.file_bytes_over

        detectors: list[str] | Unset = UNSET
        if not isinstance(self.detectors, Unset):
            detectors = []
            for detectors_item_data in self.detectors:
                detectors_item = detectors_item_data.value
                detectors.append(detectors_item)

        action: str | Unset = UNSET
        if not isinstance(self.action, Unset):
            action = self.action.value

        keep_last = self.keep_last

        arguments: list[str] | Unset = UNSET
        if not isinstance(self.arguments, Unset):
            arguments = self.arguments

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "type": type_,
                "words": words,
                "pattern_regex": pattern_regex,
            }
        )
        if name is not UNSET:
            field_dict["name"] = name
        if message is not UNSET:
            field_dict["message"] = message
        if case_sensitive is not UNSET:
            field_dict["case_sensitive"] = case_sensitive
        if whole_word is not UNSET:
            field_dict["whole_word"] = whole_word
        if kinds is not UNSET:
            field_dict["kinds"] = kinds
        if without_where is not UNSET:
            field_dict["without_where"] = without_where
        if tables is not UNSET:
            field_dict["tables"] = tables
        if functions is not UNSET:
            field_dict["functions"] = functions
        if unparseable is not UNSET:
            field_dict["unparseable"] = unparseable
        if programs is not UNSET:
            field_dict["programs"] = programs
        if program_arguments is not UNSET:
            field_dict["program_arguments"] = program_arguments
        if redirects_to is not UNSET:
            field_dict["redirects_to"] = redirects_to
        if hidden_commands is not UNSET:
            field_dict["hidden_commands"] = hidden_commands
        if file_operations is not UNSET:
            field_dict["file_operations"] = file_operations
        if file_paths is not UNSET:
            field_dict["file_paths"] = file_paths
        if file_extensions is not UNSET:
            field_dict["file_extensions"] = file_extensions
        if file_bytes_over is not UNSET:
            field_dict["file_bytes_over"] = file_bytes_over
        if detectors is not UNSET:
            field_dict["detectors"] = detectors
        if action is not UNSET:
            field_dict["action"] = action
        if keep_last is not UNSET:
            field_dict["keep_last"] = keep_last
        if arguments is not UNSET:
            field_dict["arguments"] = arguments

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.table_condition_body import TableConditionBody

        d = dict(src_dict)
        type_ = RuleEntryBodyType(d.pop("type"))

        words = cast(list[str], d.pop("words"))

        pattern_regex = d.pop("pattern_regex")

        name = d.pop("name", UNSET)

        message = d.pop("message", UNSET)

        case_sensitive = d.pop("case_sensitive", UNSET)

        whole_word = d.pop("whole_word", UNSET)

        _kinds = d.pop("kinds", UNSET)
        kinds: list[RuleEntryBodyKindsItem] | Unset = UNSET
        if _kinds is not UNSET:
            kinds = []
            for kinds_item_data in _kinds:
                kinds_item = RuleEntryBodyKindsItem(kinds_item_data)

                kinds.append(kinds_item)

        without_where = d.pop("without_where", UNSET)

        _tables = d.pop("tables", UNSET)
        tables: list[TableConditionBody] | Unset = UNSET
        if _tables is not UNSET:
            tables = []
            for tables_item_data in _tables:
                tables_item = TableConditionBody.from_dict(tables_item_data)

                tables.append(tables_item)

        functions = cast(list[str], d.pop("functions", UNSET))

        _unparseable = d.pop("unparseable", UNSET)
        unparseable: RuleEntryBodyUnparseable | Unset
        if isinstance(_unparseable, Unset):
            unparseable = UNSET
        else:
            unparseable = RuleEntryBodyUnparseable(_unparseable)

        programs = cast(list[str], d.pop("programs", UNSET))

        program_arguments = cast(list[str], d.pop("program_arguments", UNSET))

        redirects_to = cast(list[str], d.pop("redirects_to", UNSET))

        _hidden_commands = d.pop("hidden_commands", UNSET)
        hidden_commands: RuleEntryBodyHiddenCommands | Unset
        if isinstance(_hidden_commands, Unset):
            hidden_commands = UNSET
        else:
            hidden_commands = RuleEntryBodyHiddenCommands(_hidden_commands)

        _file_operations = d.pop("file_operations", UNSET)
        file_operations: list[RuleEntryBodyFileOperationsItem] | Unset = UNSET
        if _file_operations is not UNSET:
            file_operations = []
            for file_operations_item_data in _file_operations:
                file_operations_item = RuleEntryBodyFileOperationsItem(file_operations_item_data)

                file_operations.append(file_operations_item)

        file_paths = cast(list[str], d.pop("file_paths", UNSET))

        file_extensions = cast(list[str], d.pop("file_extensions", UNSET))

        file_bytes_over = d.pop("file_bytes_over", UNSET)

        _detectors = d.pop("detectors", UNSET)
        detectors: list[RuleEntryBodyDetectorsItem] | Unset = UNSET
        if _detectors is not UNSET:
            detectors = []
            for detectors_item_data in _detectors:
                detectors_item = RuleEntryBodyDetectorsItem(detectors_item_data)

                detectors.append(detectors_item)

        _action = d.pop("action", UNSET)
        action: RuleEntryBodyAction | Unset
        if isinstance(_action, Unset):
            action = UNSET
        else:
            action = RuleEntryBodyAction(_action)

        keep_last = d.pop("keep_last", UNSET)

        arguments = cast(list[str], d.pop("arguments", UNSET))

        rule_entry_body = cls(
            type_=type_,
            words=words,
            pattern_regex=pattern_regex,
            name=name,
            message=message,
            case_sensitive=case_sensitive,
            whole_word=whole_word,
            kinds=kinds,
            without_where=without_where,
            tables=tables,
            functions=functions,
            unparseable=unparseable,
            programs=programs,
            program_arguments=program_arguments,
            redirects_to=redirects_to,
            hidden_commands=hidden_commands,
            file_operations=file_operations,
            file_paths=file_paths,
            file_extensions=file_extensions,
            file_bytes_over=file_bytes_over,
            detectors=detectors,
            action=action,
            keep_last=keep_last,
            arguments=arguments,
        )

        return rule_entry_body
