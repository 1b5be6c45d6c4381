using System.Net;
using System.Text;
using System.Text.Json.Nodes;

namespace FastTests.Server;

/// <summary>An answer of the server, read to its end.</summary>
internal sealed record HttpAnswer(int Status, HttpResponseMessage Message, byte[] Bytes)
{
    internal string Text => Encoding.UTF8.GetString(Bytes);

    internal JsonNode Json => JsonNode.Parse(Bytes)!;

    internal string? ETag =>
        Message.Headers.TryGetValues("ETag", out IEnumerable<string>? values) ? values.Single() : null;

    /// <summary>The answer, which must be of this status.</summary>
    internal HttpAnswer Expect(HttpStatusCode status)
    {
        Assert.True(Status == (int)status, $"{Status} instead of {(int)status}: {Text}");
        return this;
    }

    /// <summary>The answer, which must be an error of this status whose message holds a text.</summary>
    internal HttpAnswer ExpectError(int status, string says)
    {
        Assert.True(Status == status, $"{Status} instead of {status}: {Text}");
        Assert.Equal(["Url", "Type", "Message", "Error"], Json.AsObject().Take(4).Select(property => property.Key));
        Assert.Contains(says, (string?)Json[nameof(Message)], StringComparison.Ordinal);
        return this;
    }
}
