using System.Buffers;
using System.Text.Json;
using Raven.Blittable.Format;
using Raven.Blittable.Json;
using Raven.Blittable.Reading;

namespace Raven.Documents.Smuggler;

/// <summary>
/// Reads a dump in bounded memory: one object, whose members are sections in any order, most of them lists of items. A
/// comma before a closing bracket is taken, since RavenDB writes some. One operation at a time.
/// </summary>
internal sealed class DumpReader : IDisposable
{
    private const int BufferSizeBytes = 64 * 1024;
    private const int NameSizeBytesMax = 1024;

    private readonly Stream _source;
    private readonly DumpValueScanner _scanner = new();
    private byte[] _buffer = ArrayPool<byte>.Shared.Rent(BufferSizeBytes);
    private int _start;
    private int _end;
    private long _positionOfEnd;
    private bool _isFirstSection;
    private bool _isFirstItem;

    /// <summary>Makes a reader of inflated bytes.</summary>
    /// <param name="source">The bytes; stays the caller's.</param>
    internal DumpReader(Stream source) => _source = source;

    /// <summary>How many bytes were read of the dump, after inflation.</summary>
    internal long Position => _positionOfEnd - (_end - _start);

    /// <summary>The section that is read; empty before the first.</summary>
    internal string Section { get; private set; } = "";

    /// <summary>The number of the item that is read, from 0; -1 outside of a list.</summary>
    internal long Item { get; private set; } = -1;

    /// <summary>Bytes that were read and not consumed.</summary>
    private ReadOnlySpan<byte> Current => _buffer.AsSpan(_start, _end - _start);

    /// <summary>Begins the object.</summary>
    internal async ValueTask BeginAsync(CancellationToken cancellation)
    {
        byte first = await PeekAsync(cancellation).ConfigureAwait(false);
        if (first == 0xEF)
        {
            // A byte order mark.
            for (int i = 0; i < 3; i++)
            {
                await PeekAsync(cancellation).ConfigureAwait(false);
                _start++;
            }

            first = await PeekAsync(cancellation).ConfigureAwait(false);
        }

        if (first != '{')
        {
            throw Broken("a dump is an object: it starts with {");
        }

        _start++;
        _isFirstSection = true;
    }

    /// <summary>Goes to the next section, before its value.</summary>
    /// <returns>Its name; null at the end of the dump.</returns>
    internal async ValueTask<string?> NextSectionAsync(CancellationToken cancellation)
    {
        Item = -1;
        if (!await NextAsync((byte)'}', _isFirstSection, cancellation).ConfigureAwait(false))
        {
            await EndAsync(cancellation).ConfigureAwait(false);
            return null;
        }

        _isFirstSection = false;
        Section = await ReadNameAsync(cancellation).ConfigureAwait(false);
        if (await PeekAsync(cancellation).ConfigureAwait(false) != ':')
        {
            throw Broken("a colon must follow the name of a section");
        }

        _start++;
        await PeekAsync(cancellation).ConfigureAwait(false);
        return Section;
    }

    /// <summary>Begins a list, if the value of the section is one.</summary>
    internal async ValueTask<bool> TryBeginListAsync(CancellationToken cancellation)
    {
        if (await PeekAsync(cancellation).ConfigureAwait(false) != '[')
        {
            return false;
        }

        _start++;
        _isFirstItem = true;
        return true;
    }

    /// <summary>Goes to the next item of the list.</summary>
    /// <returns>False at the end of the list.</returns>
    internal async ValueTask<bool> NextItemAsync(CancellationToken cancellation)
    {
        bool isMore = await NextAsync((byte)']', _isFirstItem, cancellation).ConfigureAwait(false);
        _isFirstItem = false;
        Item = isMore ? Item + 1 : -1;
        return isMore;
    }

    /// <summary>Reads a value.</summary>
    /// <param name="parser">Takes it into its arena.</param>
    /// <param name="mode">How it will be used.</param>
    /// <param name="cancellation">Ends the reading.</param>
    internal async ValueTask<BlittableValue> ReadAsync(
        JsonToBlittable parser, BlittableMode mode, CancellationToken cancellation)
    {
        parser.Begin(mode);
        await ScanAsync(parser, cancellation).ConfigureAwait(false);
        return !_scanner.HasFailed && parser.TryFinish(out BlittableValue value)
            ? value
            : throw Broken(parser.Error.Reason ?? "it is no JSON");
    }

    /// <summary>Passes a value over.</summary>
    internal ValueTask SkipAsync(CancellationToken cancellation) => ScanAsync(null, cancellation);

    /// <summary>Takes the comma that stands between an item and bytes that are no JSON.</summary>
    internal async ValueTask BeginBytesAsync(CancellationToken cancellation)
    {
        if (await PeekAsync(cancellation).ConfigureAwait(false) != ',')
        {
            throw Broken("a comma must stand between an attachment and its bytes");
        }

        _start++;
    }

    /// <summary>Reads bytes that are no JSON.</summary>
    /// <returns>How many, at least one.</returns>
    internal async ValueTask<int> ReadBytesAsync(Memory<byte> target, CancellationToken cancellation)
    {
        if (_start == _end && !await FillAsync(cancellation).ConfigureAwait(false))
        {
            throw Broken("it ends within an attachment");
        }

        int length = Math.Min(target.Length, _end - _start);
        Current[..length].CopyTo(target.Span);
        _start += length;
        return length;
    }

    /// <summary>The refusal of a dump that cannot be read further.</summary>
    internal RefusedException Broken(string reason)
    {
        string where = Section.Length == 0 ? "" : Item < 0 ? $", in {Section}" : $", in item {Item} of {Section}";
        return new RefusedException(
            RefusalReason.Argument, $"The dump is broken at or before byte {Position}{where}: {reason.TrimEnd('.')}.");
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        if (_buffer.Length > 0)
        {
            ArrayPool<byte>.Shared.Return(_buffer);
            _buffer = [];
            _start = _end = 0;
        }
    }

    private async ValueTask<bool> NextAsync(byte close, bool isFirst, CancellationToken cancellation)
    {
        byte next = await PeekAsync(cancellation).ConfigureAwait(false);
        if (!isFirst && next == ',')
        {
            _start++;
            next = await PeekAsync(cancellation).ConfigureAwait(false);
        }
        else if (!isFirst && next != close)
        {
            throw Broken($"a comma or {(char)close} must stand here");
        }

        if (next != close)
        {
            return true;
        }

        _start++;
        return false;
    }

    /// <summary>Only white space may follow the object.</summary>
    private async ValueTask EndAsync(CancellationToken cancellation)
    {
        Section = "";
        do
        {
            SkipWhiteSpace();
            if (_start < _end)
            {
                throw Broken("something follows its end");
            }
        }
        while (await FillAsync(cancellation).ConfigureAwait(false));
    }

    private async ValueTask ScanAsync(JsonToBlittable? parser, CancellationToken cancellation)
    {
        await PeekAsync(cancellation).ConfigureAwait(false);
        _scanner.Begin(parser);
        while (true)
        {
            bool isEnd = _scanner.Scan(Current, out int consumed);
            _start += consumed;
            if (isEnd || _scanner.HasFailed)
            {
                return;
            }

            if (!await FillAsync(cancellation).ConfigureAwait(false))
            {
                throw Broken("it ends within a value");
            }
        }
    }

    private async ValueTask<string> ReadNameAsync(CancellationToken cancellation)
    {
        if (await PeekAsync(cancellation).ConfigureAwait(false) != '"')
        {
            throw Broken("the name of a section must stand here");
        }

        var text = new List<byte>();
        bool isEscaped = false;
        while (true)
        {
            if (_start == _end && !await FillAsync(cancellation).ConfigureAwait(false))
            {
                throw Broken("it ends within the name of a section");
            }

            byte next = _buffer[_start++];
            text.Add(next);
            if (text.Count > NameSizeBytesMax)
            {
                throw Broken("the name of a section is too long");
            }

            if (next == '"' && !isEscaped && text.Count > 1)
            {
                break;
            }

            isEscaped = next == '\\' && !isEscaped;
        }

        try
        {
            return JsonSerializer.Deserialize<string>(text.ToArray()) ?? "";
        }
        catch (Exception e) when (e is JsonException or InvalidOperationException)
        {
            throw Broken("the name of a section is no text");
        }
    }

    /// <summary>The next byte that is no white space; it is not consumed.</summary>
    private async ValueTask<byte> PeekAsync(CancellationToken cancellation)
    {
        while (true)
        {
            SkipWhiteSpace();
            if (_start < _end)
            {
                return _buffer[_start];
            }

            if (!await FillAsync(cancellation).ConfigureAwait(false))
            {
                throw Broken("it ends before its last }");
            }
        }
    }

    private void SkipWhiteSpace()
    {
        int skip = Current.IndexOfAnyExcept(" \t\r\n"u8);
        _start = skip < 0 ? _end : _start + skip;
    }

    private async ValueTask<bool> FillAsync(CancellationToken cancellation)
    {
        cancellation.ThrowIfCancellationRequested();
        _start = 0;
        _end = 0;
        _end = await _source.ReadAsync(_buffer, cancellation).ConfigureAwait(false);
        _positionOfEnd += _end;
        return _end > 0;
    }
}
