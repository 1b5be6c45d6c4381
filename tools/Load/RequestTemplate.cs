using System.Globalization;
using System.Text;

namespace Raven.Tools.Load;

/// <summary>
/// The bytes of a request, made once. Each <c>{n}</c> in the path or the body is replaced before every send by the
/// number of the request, ten digits wide: the length never changes, so nothing else has to.
/// </summary>
public sealed class RequestTemplate
{
    private const string Placeholder = "{n}";
    private const string PlainScheme = "http://";
    private const string SecureScheme = "https://";
    private const int DigitCount = 10;
    private readonly byte[] _bytes;
    private readonly int[] _offsets;

    private RequestTemplate(byte[] bytes, int[] offsets)
    {
        _bytes = bytes;
        _offsets = offsets;
    }

    /// <summary>The length of the request, in bytes.</summary>
    public int Length => _bytes.Length;

    /// <summary>Whether requests differ by their number.</summary>
    public bool IsNumbered => _offsets.Length != 0;

    /// <summary>Builds a request of HTTP/1.1.</summary>
    /// <param name="method">GET, PUT, ...</param>
    /// <param name="url">An absolute http or https url; its path and query are sent as they stand.</param>
    /// <param name="body">The body, or null.</param>
    /// <param name="keepAlive">False asks the server to close the connection after the answer.</param>
    /// <param name="headers">More headers, as <c>Name: value</c>.</param>
    public static RequestTemplate Create(
        string method, string url, byte[]? body, bool keepAlive, IEnumerable<string> headers)
    {
        ArgumentNullException.ThrowIfNull(method);
        ArgumentNullException.ThrowIfNull(url);
        ArgumentNullException.ThrowIfNull(headers);
        (string authority, string target) = SplitUrl(url);
        string[] extra = [.. headers];
        var head = new StringBuilder();
        head.Append(method).Append(' ').Append(target).Append(" HTTP/1.1\r\nHost: ").Append(authority).Append("\r\n");
        if (!keepAlive)
        {
            head.Append("Connection: close\r\n");
        }

        string digits = new('0', DigitCount);
        byte[] content = body is null ? [] : ReplacePlaceholders(body, digits);
        if (body is not null)
        {
            head.Append(CultureInfo.InvariantCulture, $"Content-Length: {content.Length}\r\n");
            if (!Array.Exists(extra, header => header.StartsWith("Content-Type:", StringComparison.OrdinalIgnoreCase)))
            {
                head.Append("Content-Type: application/json\r\n");
            }
        }

        Array.ForEach(extra, header => head.Append(header).Append("\r\n"));
        head.Append("\r\n");
        byte[] raw = [.. Encoding.UTF8.GetBytes(head.ToString()), .. body ?? []];
        return new RequestTemplate(ReplacePlaceholders(raw, digits), FindPlaceholders(raw));
    }

    /// <summary>A copy for one client, whose number it may change.</summary>
    public byte[] CreateBuffer() => (byte[])_bytes.Clone();

    /// <summary>Writes the number of the request into a client's buffer.</summary>
    public void SetNumber(Span<byte> buffer, long number)
    {
        foreach (int offset in _offsets)
        {
            _ = number.TryFormat(buffer.Slice(offset, DigitCount), out _, "D10", CultureInfo.InvariantCulture);
        }
    }

    /// <summary>Whether a url is one of https.</summary>
    internal static bool IsSecure(string url) => url.StartsWith(SecureScheme, StringComparison.OrdinalIgnoreCase);

    /// <summary>The host and port, and what follows them, of an absolute http or https url.</summary>
    internal static (string Authority, string Target) SplitUrl(string url)
    {
        if (!IsSecure(url) && !url.StartsWith(PlainScheme, StringComparison.OrdinalIgnoreCase))
        {
            throw new ArgumentException($"'{url}' is no http or https url", nameof(url));
        }

        int begin = (IsSecure(url) ? SecureScheme : PlainScheme).Length;
        int slash = url.IndexOfAny(['/', '?'], begin);
        return slash < 0
            ? (url[begin..], "/")
            : (url[begin..slash], url[slash] == '/' ? url[slash..] : "/" + url[slash..]);
    }

    private static byte[] ReplacePlaceholders(byte[] raw, string digits) =>
        Encoding.Latin1.GetBytes(Encoding.Latin1.GetString(raw).Replace(Placeholder, digits, StringComparison.Ordinal));

    private static int[] FindPlaceholders(byte[] raw)
    {
        string text = Encoding.Latin1.GetString(raw);
        var offsets = new List<int>();
        int growth = 0;
        for (int at = text.IndexOf(Placeholder, StringComparison.Ordinal); at >= 0;
            at = text.IndexOf(Placeholder, at + 1, StringComparison.Ordinal))
        {
            offsets.Add(at + growth);
            growth += DigitCount - Placeholder.Length;
        }

        return [.. offsets];
    }
}
