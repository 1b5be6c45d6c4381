using System.Buffers.Text;
using System.Text;

namespace Raven.Tools.Load;

/// <summary>
/// Finds the end of an HTTP/1.1 response in the bytes as they come, and keeps only its status: bodies are counted and
/// dropped. One per connection; no memory is allocated while it reads.
/// </summary>
public sealed class ResponseReader
{
    private const int HeadBytesMax = 32 * 1024;
    private readonly byte[] _head = new byte[HeadBytesMax];
    private int _headLength;
    private long _bodyLeft;
    private State _state;

    private enum State
    {
        Head,
        Body,
        BodyToEnd,
        ChunkSize,
        ChunkData,
        ChunkTrailer,
    }

    /// <summary>The status of the response whose head was read last.</summary>
    public int Status { get; private set; }

    /// <summary>Whether the server closes the connection after this response.</summary>
    public bool IsLast { get; private set; }

    /// <summary>Whether the end of the response is the end of the connection (neither length nor chunks).</summary>
    public bool EndsWithConnection => _state == State.BodyToEnd;

    /// <summary>Makes ready for the next response.</summary>
    public void Reset()
    {
        _headLength = 0;
        _bodyLeft = 0;
        _state = State.Head;
        IsLast = false;
    }

    /// <summary>
    /// Takes the next bytes; true when the response is complete. Bytes behind it are not expected, since a client of
    /// the load generator sends its next request only then.
    /// </summary>
    /// <exception cref="InvalidDataException">This is not HTTP/1.x.</exception>
    public bool Feed(ReadOnlySpan<byte> bytes)
    {
        while (bytes.Length != 0)
        {
            switch (_state)
            {
                case State.Head:
                    if (!FeedHead(ref bytes))
                    {
                        return false;
                    }

                    if (_state == State.Body && _bodyLeft == 0)
                    {
                        return true;
                    }

                    break;
                case State.Body:
                    _bodyLeft -= bytes.Length;
                    return _bodyLeft <= 0;
                case State.BodyToEnd:
                    return false;
                default:
                    if (FeedChunks(ref bytes))
                    {
                        return true;
                    }

                    break;
            }
        }

        return false;
    }

    /// <summary>Collects bytes up to the empty line; true when the head is complete and understood.</summary>
    private bool FeedHead(ref ReadOnlySpan<byte> bytes)
    {
        int taken = Math.Min(bytes.Length, _head.Length - _headLength);
        if (taken == 0)
        {
            throw new InvalidDataException($"The head of the response is longer than {HeadBytesMax} bytes");
        }

        bytes[..taken].CopyTo(_head.AsSpan(_headLength));
        int searched = Math.Max(0, _headLength - 3);
        int end = _head.AsSpan(searched, _headLength + taken - searched).IndexOf("\r\n\r\n"u8);
        if (end < 0)
        {
            _headLength += taken;
            bytes = bytes[taken..];
            return false;
        }

        int headEnd = searched + end + 4;
        bytes = bytes[(headEnd - _headLength)..];
        ParseHead(_head.AsSpan(0, headEnd));
        return true;
    }

    private void ParseHead(ReadOnlySpan<byte> head)
    {
        if (head.Length < 12 || !head.StartsWith("HTTP/1."u8)
            || !Utf8Parser.TryParse(head[9..12], out int status, out _))
        {
            throw new InvalidDataException("The response does not begin with HTTP/1.x and a status");
        }

        Status = status;
        bool hasLength = false, isChunked = false;
        IsLast = head[7] == (byte)'0';
        ReadOnlySpan<byte> rest = head[(head.IndexOf("\r\n"u8) + 2)..];
        for (int end = rest.IndexOf("\r\n"u8); end > 0; end = rest.IndexOf("\r\n"u8))
        {
            ReadOnlySpan<byte> line = rest[..end];
            rest = rest[(end + 2)..];
            if (IsHeader(line, "Content-Length:"u8, out ReadOnlySpan<byte> value))
            {
                hasLength = Utf8Parser.TryParse(value, out _bodyLeft, out _);
            }
            else if (IsHeader(line, "Transfer-Encoding:"u8, out value))
            {
                isChunked = Ascii.EqualsIgnoreCase(value, "chunked"u8);
            }
            else if (IsHeader(line, "Connection:"u8, out value))
            {
                IsLast |= Ascii.EqualsIgnoreCase(value, "close"u8);
            }
        }

        bool hasNoBody = Status is 204 or 304 or (>= 100 and < 200);
        _headLength = 0;
        _bodyLeft = hasNoBody || isChunked ? 0 : _bodyLeft;
        _state = isChunked && !hasNoBody ? State.ChunkSize
            : hasLength || hasNoBody ? State.Body
            : State.BodyToEnd;
    }

    private static bool IsHeader(ReadOnlySpan<byte> line, ReadOnlySpan<byte> name, out ReadOnlySpan<byte> value)
    {
        bool matches = line.Length >= name.Length && Ascii.EqualsIgnoreCase(line[..name.Length], name);
        value = matches ? line[name.Length..].Trim((byte)' ') : default;
        return matches;
    }

    /// <summary>Goes through chunk sizes, data and trailer; the head buffer holds a line that came in pieces.</summary>
    private bool FeedChunks(ref ReadOnlySpan<byte> bytes)
    {
        if (_state == State.ChunkData)
        {
            int skipped = (int)Math.Min(_bodyLeft, bytes.Length);
            bytes = bytes[skipped..];
            _bodyLeft -= skipped;
            if (_bodyLeft == 0)
            {
                _state = State.ChunkSize;
                _headLength = 0;
            }

            return false;
        }

        byte next = bytes[0];
        bytes = bytes[1..];
        if (next != (byte)'\n')
        {
            _head[_headLength++ % HeadBytesMax] = next;
            return false;
        }

        ReadOnlySpan<byte> line = _head.AsSpan(0, Math.Min(_headLength, HeadBytesMax)).TrimEnd((byte)'\r');
        _headLength = 0;
        if (_state == State.ChunkTrailer)
        {
            return line.IsEmpty;
        }

        if (!Utf8Parser.TryParse(line, out long size, out _, 'X'))
        {
            throw new InvalidDataException("A chunk of the response has no size");
        }

        _state = size == 0 ? State.ChunkTrailer : State.ChunkData;
        _bodyLeft = size + 2; // the line end behind the data
        return false;
    }
}
