using System.Text;
using System.Text.Unicode;
using Raven.Blittable.Contexts;
using Raven.Blittable.Format;
using Raven.Blittable.Json;
using Raven.Blittable.Memory;
using Raven.Blittable.Reading;

namespace Raven.Server.Http.Commands;

/// <summary>
/// Reads the commands of a batch (<c>{"Commands":[…]}</c>) or of a bulk insert (<c>[…]</c>) one by one while the body
/// is still received, in pieces that may be cut anywhere. The documents inside go from the received bytes straight into
/// their stored form; nothing else of the body is kept. One operation at a time.
/// </summary>
/// <remarks>
/// It knows the structure around the values only. Every value - and every name or text that is cut, escaped or not
/// ASCII - is read by the context's JSON parser, so that there is one set of rules for what JSON is.
/// </remarks>
internal sealed class CommandScanner
{
    private enum Place
    {
        OuterStart, OuterNameOrEnd, OuterName, OuterColon, OuterValue, OuterNext,
        ListStart, CommandOrEnd, Command, NameOrEnd, Name, Colon, Value, Next, CommandNext, End,
    }

    private enum Slot
    {
        None, Id, Type, ChangeVector, Document, Other, Commands, TransactionMode, OuterOther,
    }

    /// <summary>More properties than any command has, and few enough that a list of them is searched fast.</summary>
    private const int FieldsMax = 32;

    private readonly List<CommandField> _fields = [];
    private readonly List<NativeSlice> _outerNames = [];
    private OperationContext _context = null!;
    private NativeSlice _fieldName;
    private ScannedCommand _command;
    private bool _isBatch;
    private Place _place;
    private Slot _slot;
    private int _seen;
    private bool _hasCommands;
    private bool _isParsing;

    /// <summary>The command that is complete, after <see cref="ScanStatus.Command"/>.</summary>
    internal ref readonly ScannedCommand Command => ref _command;

    /// <summary>The number of the command that is read or was read last, from 0.</summary>
    internal int Index { get; private set; }

    /// <summary>True if a batch asks for a transaction of the whole cluster.</summary>
    internal bool IsClusterWide { get; private set; }

    /// <summary>True if nothing of the next command was read yet: its context may be changed.</summary>
    internal bool IsBetweenCommands =>
        !_isParsing && _place is Place.CommandOrEnd or Place.CommandNext or Place.Command;

    /// <summary>True after the end of the commands; only white space may follow.</summary>
    internal bool IsAtEnd => _place == Place.End;

    /// <summary>What is wrong, after <see cref="ScanStatus.Invalid"/>.</summary>
    internal string Error { get; private set; } = "";

    /// <summary>Begins to scan a body.</summary>
    /// <param name="context">The memory of documents and texts.</param>
    /// <param name="isBatch">True for an object with <c>Commands</c>, false for a bare list.</param>
    internal void Begin(OperationContext context, bool isBatch)
    {
        _context = context;
        _isBatch = isBatch;
        _place = isBatch ? Place.OuterStart : Place.ListStart;
        _slot = Slot.None;
        _seen = 0;
        _hasCommands = false;
        _outerNames.Clear();
        _isParsing = false;
        _command = default;
        IsClusterWide = false;
        Index = -1;
        Error = "";
    }

    /// <summary>Goes on in another context: the commands before are not used any more. Only between
    /// two commands.</summary>
    internal void ContinueIn(OperationContext context) => _context = context;

    /// <summary>Takes the next bytes of the body.</summary>
    /// <param name="chunk">Any number of bytes.</param>
    /// <param name="consumed">How many were taken.</param>
    internal ScanStatus Scan(ReadOnlySpan<byte> chunk, out int consumed)
    {
        int position = 0;
        ScanStatus status = ScanStatus.NeedMore;
        while (status == ScanStatus.NeedMore)
        {
            if (_isParsing)
            {
                status = FeedValue(chunk, ref position);
                if (_isParsing)
                {
                    break;
                }

                continue;
            }

            if (_place == Place.End && !_isBatch)
            {
                // A client that streams may never end the body; bytes after the list are not waited for.
                status = ScanStatus.End;
                break;
            }

            int skip = chunk[position..].IndexOfAnyExcept(" \t\r\n"u8);
            if (skip < 0)
            {
                position = chunk.Length;
                break;
            }

            position += skip;
            status = _place == Place.End
                ? Fail("only white space may follow the batch.")
                : Step(chunk, ref position);
        }

        consumed = position;
        return status;
    }

    /// <summary>The refusal of a body that is <see cref="ScanStatus.Invalid"/>.</summary>
    /// <param name="position">The position of the scanner in the body.</param>
    internal BadRequestException Refuse(long position) =>
        new(400, ErrorType.InvalidJson, $"The body is broken at or before byte {position}: {Error}");

    /// <summary>The refusal of a body that ends before its commands.</summary>
    internal BadRequestException RefuseEnd(long position) => new(
        400, ErrorType.InvalidJson,
        $"The body ends after {position} bytes, before its "
        + (Index < 0 ? "first command is complete." : $"command {Index} or the list is complete."));

    /// <summary>Takes one structural byte, or the begin of a name or value.</summary>
    private ScanStatus Step(ReadOnlySpan<byte> chunk, ref int position)
    {
        byte next = chunk[position];
        switch (_place)
        {
            case Place.OuterStart:
                return Expect(next, (byte)'{', Place.OuterNameOrEnd, "an object with Commands", ref position);
            case Place.ListStart:
                return Expect(next, (byte)'[', Place.CommandOrEnd, "[, the begin of the commands,", ref position);
            case Place.OuterColon:
                return Expect(next, (byte)':', Place.OuterValue, "a colon", ref position);
            case Place.Colon:
                return Expect(next, (byte)':', Place.Value, "a colon", ref position);
            case Place.OuterNameOrEnd or Place.OuterName:
                return next == '}' && _place == Place.OuterNameOrEnd
                    ? EndOfBatch(ref position)
                    : BeginName(chunk, ref position);
            case Place.NameOrEnd or Place.Name:
                return next == '}' && _place == Place.NameOrEnd
                    ? EndOfCommand(ref position)
                    : BeginName(chunk, ref position);
            case Place.OuterValue when _slot == Slot.Commands:
                _place = Place.ListStart;
                return ScanStatus.NeedMore;
            case Place.OuterValue or Place.Value:
                return BeginValue(chunk, ref position);
            case Place.OuterNext:
                return next == '}'
                    ? EndOfBatch(ref position)
                    : Expect(next, (byte)',', Place.OuterName, "a comma or }", ref position);
            case Place.Next:
                return next == '}'
                    ? EndOfCommand(ref position)
                    : Expect(next, (byte)',', Place.Name, "a comma or }", ref position);
            case Place.CommandNext:
                return next == ']'
                    ? EndOfList(ref position)
                    : Expect(next, (byte)',', Place.Command, "a comma or ]", ref position);
            default:
                return next == ']' && _place == Place.CommandOrEnd
                    ? EndOfList(ref position)
                    : BeginCommand(next, ref position);
        }
    }

    private ScanStatus Expect(byte actual, byte expected, Place then, string what, ref int position)
    {
        if (actual != expected)
        {
            return Fail($"{what} must stand here, not {Show(actual)}.");
        }

        position++;
        _place = then;
        return ScanStatus.NeedMore;
    }

    private ScanStatus BeginCommand(byte next, ref int position)
    {
        Index++;
        _fields.Clear();
        _command = new ScannedCommand { Fields = _fields };
        _seen = 0;
        return Expect(next, (byte)'{', Place.NameOrEnd, "a command, an object,", ref position);
    }

    private ScanStatus EndOfCommand(ref int position)
    {
        position++;
        _place = Place.CommandNext;
        return ScanStatus.Command;
    }

    private ScanStatus EndOfList(ref int position)
    {
        position++;
        _place = _isBatch ? Place.OuterNext : Place.End;
        return ScanStatus.NeedMore;
    }

    private ScanStatus EndOfBatch(ref int position)
    {
        if (!_hasCommands)
        {
            return Fail("the batch has no Commands.");
        }

        position++;
        _place = Place.End;
        return ScanStatus.NeedMore;
    }

    private ScanStatus BeginName(ReadOnlySpan<byte> chunk, ref int position)
    {
        if (chunk[position] != '"')
        {
            return Fail($"the name of a property must stand here, not {Show(chunk[position])}.");
        }

        if (TryTakePlain(chunk, position, out ReadOnlySpan<byte> name))
        {
            position += name.Length + 2;
            return EndName(name);
        }

        return BeginParse(chunk, ref position);
    }

    private ScanStatus BeginValue(ReadOnlySpan<byte> chunk, ref int position)
    {
        if (chunk[position] == '"' && _slot is Slot.Id or Slot.Type or Slot.ChangeVector
            && TryTakePlain(chunk, position, out ReadOnlySpan<byte> text))
        {
            position += text.Length + 2;
            return EndText(text);
        }

        return BeginParse(chunk, ref position);
    }

    private ScanStatus BeginParse(ReadOnlySpan<byte> chunk, ref int position)
    {
        // Only documents in it are stored: that of a put, and the one that a patch creates.
        bool isStored = _place == Place.Value && (_slot == Slot.Document
            || (_slot == Slot.Other && _fieldName.Span.SequenceEqual("CreateIfMissing"u8)));
        _context.Parser.Begin(isStored ? BlittableMode.ToDisk : BlittableMode.ToMemory);
        _isParsing = true;
        return FeedValue(chunk, ref position);
    }

    private ScanStatus FeedValue(ReadOnlySpan<byte> chunk, ref int position)
    {
        JsonToBlittable parser = _context.Parser;
        JsonParseStatus status = parser.Feed(chunk[position..], out int taken);
        position += taken;
        if (status == JsonParseStatus.NeedMore)
        {
            return ScanStatus.NeedMore;
        }

        if (status == JsonParseStatus.Invalid || !parser.TryFinish(out BlittableValue value))
        {
            return Fail($"{Where()}: {parser.Error}");
        }

        _isParsing = false;
        return EndParse(value);
    }

    private ScanStatus EndParse(in BlittableValue value)
    {
        switch (_place)
        {
            case Place.OuterName or Place.OuterNameOrEnd or Place.Name or Place.NameOrEnd:
                return EndName(Utf8Text.Of(value, _context));
            case Place.OuterValue:
                IsClusterWide |= _slot == Slot.TransactionMode && value.StringEquals("ClusterWide"u8);
                _place = Place.OuterNext;
                return ScanStatus.NeedMore;
        }

        if (_slot is Slot.Id or Slot.Type or Slot.ChangeVector)
        {
            if (value.Kind == ValueKind.String)
            {
                return EndText(Utf8Text.Of(value, _context));
            }

            if (value.Kind != ValueKind.Null)
            {
                return Fail($"{_slot} must be a text or null.");
            }
        }
        else if (_slot == Slot.Document && value.Kind != ValueKind.Null)
        {
            if (value.Kind != ValueKind.Object)
            {
                return Fail("Document must be an object.");
            }

            _command.Document = value.AsObject();
            _command.HasDocument = true;
        }
        else if (_slot == Slot.Other)
        {
            _fields.Add(new CommandField(_fieldName, value));
        }

        _place = Place.Next;
        return ScanStatus.NeedMore;
    }

    private ScanStatus EndName(ReadOnlySpan<byte> name)
    {
        if (_place is Place.OuterName or Place.OuterNameOrEnd)
        {
            _slot = name.SequenceEqual("Commands"u8) ? Slot.Commands
                : name.SequenceEqual("TransactionMode"u8) ? Slot.TransactionMode
                : Slot.OuterOther;
            _hasCommands |= _slot == Slot.Commands;
            _place = Place.OuterColon;
            return NoteOuter(name);
        }

        _slot = name.SequenceEqual("Id"u8) ? Slot.Id
            : name.SequenceEqual("Type"u8) ? Slot.Type
            : name.SequenceEqual("Document"u8) ? Slot.Document
            : name.SequenceEqual("ChangeVector"u8) ? Slot.ChangeVector
            : Slot.Other;
        if (_slot != Slot.Other && (_seen & Bit(_slot)) != 0)
        {
            return Fail($"{_slot} is named twice.");
        }

        _seen |= Bit(_slot);
        _place = Place.Colon;
        return _slot == Slot.Other ? BeginField(name) : ScanStatus.NeedMore;
    }

    private ScanStatus NoteOuter(ReadOnlySpan<byte> name)
    {
        if (_outerNames.Count == FieldsMax)
        {
            return Fail($"the batch has more than {FieldsMax} properties.");
        }

        foreach (NativeSlice known in _outerNames)
        {
            if (known.Span.SequenceEqual(name))
            {
                return Fail($"{Encoding.UTF8.GetString(name)} is named twice.");
            }
        }

        _outerNames.Add(Keep(name));
        return ScanStatus.NeedMore;
    }

    private ScanStatus BeginField(ReadOnlySpan<byte> name)
    {
        if (_fields.Count == FieldsMax)
        {
            return Fail($"it has more than {FieldsMax} properties of its own.");
        }

        foreach (CommandField field in _fields)
        {
            if (field.Name.Span.SequenceEqual(name))
            {
                return Fail($"{Encoding.UTF8.GetString(name)} is named twice.");
            }
        }

        _fieldName = Keep(name);
        return ScanStatus.NeedMore;
    }

    private ScanStatus EndText(ReadOnlySpan<byte> text)
    {
        switch (_slot)
        {
            case Slot.Type:
                _command.Kind = CommandTypes.Parse(text, out _command.TypeName, out _command.Type);
                break;
            case Slot.Id:
                _command.Id = Keep(text);
                _command.HasId = true;
                break;
            default:
                _command.ChangeVector = Keep(text);
                _command.HasChangeVector = true;
                break;
        }

        _place = Place.Next;
        return ScanStatus.NeedMore;
    }

    private NativeSlice Keep(ReadOnlySpan<byte> text)
    {
        NativeSlice kept = _context.Arena.Allocate(text.Length);
        text.CopyTo(kept.WritableSpan);
        return kept;
    }

    /// <summary>
    /// Takes a text that is whole in the chunk and needs no parser: no escape, no control character, valid UTF-8.
    /// </summary>
    private static bool TryTakePlain(ReadOnlySpan<byte> chunk, int position, out ReadOnlySpan<byte> text)
    {
        ReadOnlySpan<byte> rest = chunk[(position + 1)..];
        int end = rest.IndexOfAny((byte)'"', (byte)'\\');
        if (end < 0 || rest[end] != '"')
        {
            text = default;
            return false;
        }

        text = rest[..end];
        return !text.ContainsAnyInRange((byte)0, (byte)0x1F) && Utf8.IsValid(text);
    }

    private ScanStatus Fail(string reason)
    {
        Error = Index < 0 ? reason : $"command {Index}: {reason}";
        return ScanStatus.Invalid;
    }

    private string Where() => _slot == Slot.None ? "the body" : _slot.ToString();

    private static string Show(byte value) =>
        value is > 0x20 and < 0x7F ? $"'{(char)value}'" : $"the byte 0x{value:X2}";

    private static int Bit(Slot slot) => 1 << (int)slot;
}
