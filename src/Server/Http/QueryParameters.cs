using System.Globalization;
using System.Text;

namespace Raven.Server.Http;

/// <summary>
/// The query of a url, read in place: nothing is split or kept. Names are ASCII and compare in either case; empty parts
/// (<c>?&amp;x=1</c>) are skipped. A view over the query string: valid as long as that is.
/// </summary>
public readonly ref struct QueryParameters
{
    private readonly ReadOnlySpan<char> _query;

    /// <summary>Reads a query string, with or without its <c>?</c>.</summary>
    public QueryParameters(ReadOnlySpan<char> query)
    {
        _query = query.Length > 0 && query[0] == '?' ? query[1..] : query;
    }

    /// <summary>All parameters in order, for <c>foreach</c>.</summary>
    public Enumerator GetEnumerator() => new(_query);

    /// <summary>The first parameter of a name, still percent-encoded.</summary>
    public bool TryGet(string name, out ReadOnlySpan<char> encoded)
    {
        foreach (Parameter parameter in this)
        {
            if (parameter.Is(name))
            {
                encoded = parameter.Encoded;
                return true;
            }
        }

        encoded = default;
        return false;
    }

    /// <summary>True if there is a parameter of this name, with or without a value.</summary>
    public bool Has(string name) => TryGet(name, out _);

    /// <summary>The decoded text of a parameter; null if it is absent or empty. Allocates the string.</summary>
    /// <exception cref="BadRequestException">It is not percent-encoded UTF-8.</exception>
    public string? GetText(string name)
    {
        if (!TryGet(name, out ReadOnlySpan<char> encoded) || encoded.IsEmpty)
        {
            return null;
        }

        byte[] bytes = new byte[PercentEncoding.MaxDecodedLength(encoded)];
        return PercentEncoding.TryDecode(encoded, bytes, out int length)
            ? Encoding.UTF8.GetString(bytes, 0, length)
            : throw BadEncoding(name);
    }

    /// <summary>A whole number; the default if the parameter is absent or empty.</summary>
    /// <exception cref="BadRequestException">It is not a number from <paramref name="min"/> to the
    /// type's greatest.</exception>
    public long GetInt64(string name, long defaultValue, long min = 0)
    {
        if (!TryGet(name, out ReadOnlySpan<char> encoded) || encoded.IsEmpty)
        {
            return defaultValue;
        }

        return long.TryParse(encoded, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out long value)
            && value >= min
            ? value
            : throw new BadRequestException(
                400, ErrorType.Argument,
                $"The parameter '{name}' must be a whole number of at least {min}, not '{encoded}'.");
    }

    /// <summary>A whole number that fits an int; greater ones become the greatest int.</summary>
    public int GetInt32(string name, int defaultValue, int min = 0) =>
        (int)Math.Min(int.MaxValue, GetInt64(name, defaultValue, min));

    /// <summary>True for <c>true</c>; false if it is absent, empty or <c>false</c>.</summary>
    /// <exception cref="BadRequestException">It is anything else.</exception>
    public bool GetBool(string name)
    {
        if (!TryGet(name, out ReadOnlySpan<char> encoded) || encoded.IsEmpty)
        {
            return false;
        }

        return bool.TryParse(encoded, out bool value)
            ? value
            : throw new BadRequestException(
                400, ErrorType.Argument, $"The parameter '{name}' must be true or false, not '{encoded}'.");
    }

    internal static BadRequestException BadEncoding(string name) => new(
        400, ErrorType.Argument, $"The value of the parameter '{name}' is not percent-encoded UTF-8.");

    /// <summary>One <c>name=value</c> of a query.</summary>
    public readonly ref struct Parameter
    {
        private readonly ReadOnlySpan<char> _name;

        internal Parameter(ReadOnlySpan<char> part)
        {
            int equals = part.IndexOf('=');
            _name = equals < 0 ? part : part[..equals];
            Encoded = equals < 0 ? default : part[(equals + 1)..];
        }

        /// <summary>The value, still percent-encoded; empty if there is none.</summary>
        public ReadOnlySpan<char> Encoded { get; }

        /// <summary>Whether the name is this one.</summary>
        public bool Is(string name)
        {
            ArgumentNullException.ThrowIfNull(name);
            if (_name.Length == name.Length)
            {
                return Ascii.EqualsIgnoreCase(_name, name);
            }

            // An encoded letter in a name is rare, and allowed.
            if (_name.Length <= name.Length || _name.Length > 64 || !_name.Contains('%'))
            {
                return false;
            }

            Span<byte> decoded = stackalloc byte[3 * 64];
            return PercentEncoding.TryDecode(_name, decoded, out int length)
                && Ascii.EqualsIgnoreCase(decoded[..length], name);
        }
    }

    /// <summary>Walks the parameters.</summary>
    public ref struct Enumerator
    {
        private ReadOnlySpan<char> _rest;

        internal Enumerator(ReadOnlySpan<char> query)
        {
            _rest = query;
            Current = default;
        }

        /// <summary>The parameter that was reached.</summary>
        public Parameter Current { get; private set; }

        /// <summary>Goes to the next parameter; false at the end.</summary>
        public bool MoveNext()
        {
            while (!_rest.IsEmpty)
            {
                int end = _rest.IndexOf('&');
                ReadOnlySpan<char> part = end < 0 ? _rest : _rest[..end];
                _rest = end < 0 ? default : _rest[(end + 1)..];
                if (!part.IsEmpty)
                {
                    Current = new Parameter(part);
                    return true;
                }
            }

            return false;
        }
    }
}
