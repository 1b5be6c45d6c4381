using System.Net;
using System.Net.Sockets;
using System.Text;
using FastTests.Server;
using Microsoft.IdentityModel.Tokens;

namespace FastTests.Security;

/// <summary>Tokens that do not count are answered like keys that do not, and make the server ask no one.</summary>
[Trait("Security", "45")]
public sealed class TokenHttpTests : IDisposable
{
    private const string Who = "/certificates/whoami";

    private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
    private readonly RegistryServer _server;

    public TokenHttpTests()
    {
        _listener.Start();
        _server = new RegistryServer(options => options with
        {
            // Nothing listens there: its keys are never known.
            Issuer = new Uri("https://127.0.0.1:1/realm"),
            IssuerAudience = "raven",
            IssuerRoles = """{"ops":{"SecurityClearance":"Operator"}}""",
        });
    }

    public void Dispose()
    {
        _server.Dispose();
        _listener.Dispose();
    }

    [Fact]
    public void A_token_that_does_not_count_is_answered_with_401_and_one_text_also_beside_a_certificate()
    {
        string url = $"https://127.0.0.1:{((IPEndPoint)_listener.LocalEndpoint).Port}/keys";
        string[] heads =
        [
            """{"alg":"none","typ":"JWT"}""", """{"alg":"None"}""", """{"alg":"HS256","kid":"../../etc/passwd"}""",
            $$"""{"alg":"ES256","kid":"{{url}}"}""", $$"""{"alg":"ES256","jku":"{{url}}"}""",
            $$"""{"alg":"RS256","x5u":"{{url}}"}""", """{"alg":"ES256","kid":"' or 1=1 --"}""", "not JSON", "[]",
        ];
        const string claims =
            """{"iss":"https://127.0.0.1:1/realm","aud":"raven","sub":"ann","roles":"ops","exp":4102444800}""";
        HashSet<string> texts = [];
        foreach (string token in heads.Select(head => $"{Encoded(head)}.{Encoded(claims)}.{Encoded("signature")}")
            .Concat([new string('a', 1 << 20), "a.b.c.d.e", "..", $"{Encoded(heads[0])}.{Encoded(claims)}."]))
        {
            InMemoryRequest answer = _server.Expect(
                401, _server.Admin, "GET", Who, "", "Authorization: Bearer " + token);
            Assert.Equal("Bearer", RegistryServer.Header(answer, "WWW-Authenticate"));
            texts.Add(answer.Answer);
        }

        Assert.Single(texts);
        Assert.False(_listener.Pending());
        _server.Expect(200, _server.Admin, "GET", Who);
    }

    private static string Encoded(string text) => Base64UrlEncoder.Encode(Encoding.UTF8.GetBytes(text));
}
