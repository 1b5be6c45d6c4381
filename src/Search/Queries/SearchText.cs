namespace Raven.Search.Queries;

/// <summary>Walks the parts of a search text: words between white space, and phrases in quotes.</summary>
internal ref struct SearchText
{
    private ReadOnlySpan<byte> _rest;

    internal SearchText(ReadOnlySpan<byte> text) => _rest = text;

    internal ReadOnlySpan<byte> Part { get; private set; }

    internal bool IsPhrase { get; private set; }

    internal bool MoveNext()
    {
        while (true)
        {
            int start = _rest.IndexOfAnyExcept(" \t\r\n"u8);
            if (start < 0)
            {
                return false;
            }

            _rest = _rest[start..];
            IsPhrase = _rest[0] == '"' && _rest.Length > 1;
            if (IsPhrase)
            {
                int end = _rest[1..].IndexOf((byte)'"');
                Part = end < 0 ? _rest[1..] : _rest.Slice(1, end);
                _rest = end < 0 ? default : _rest[(end + 2)..];
            }
            else
            {
                int end = _rest.IndexOfAny(" \t\r\n"u8);
                Part = end < 0 ? _rest : _rest[..end];
                _rest = end < 0 ? default : _rest[end..];
            }

            if (!Part.IsEmpty)
            {
                return true;
            }
        }
    }
}
