using System.Globalization;
using System.Text;

namespace Raven.Client.Http;

/// <summary>Builds a url with its query, percent-encoded.</summary>
internal sealed class UrlBuilder(ServerNode node, string path)
{
    /// <summary>
    /// The builder encodes every part of a url: it is not normalized again, and a database named <c>..</c> stays one.
    /// </summary>
    internal static readonly UriCreationOptions AsItIs = new() { DangerousDisablePathAndQueryCanonicalization = true };

    private readonly StringBuilder _text = new(node.BaseUrl + path);
    private char _separator = '?';

    internal UrlBuilder Add(string name, string? value)
    {
        if (value is not null)
        {
            _text.Append(_separator).Append(name).Append('=').Append(Uri.EscapeDataString(value));
            _separator = '&';
        }

        return this;
    }

    internal UrlBuilder Add(string name, long? value) => Add(name, value?.ToString(CultureInfo.InvariantCulture));

    internal UrlBuilder Add(string name, bool value) => value ? Add(name, "true") : this;

    internal UrlBuilder AddAll(string name, IEnumerable<string> values)
    {
        foreach (string value in values)
        {
            Add(name, value);
        }

        return this;
    }

    public override string ToString() => _text.ToString();

    internal HttpRequestMessage ToRequest(HttpMethod method, HttpContent? content = null) =>
        new(method, new Uri(ToString(), AsItIs)) { Content = content };
}
