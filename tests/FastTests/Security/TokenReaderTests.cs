using System.Net;
using System.Net.Sockets;
using System.Security.Cryptography;
using System.Text;
using FastTests.Documents;
using FastTests.Support;
using Microsoft.IdentityModel.JsonWebTokens;
using Microsoft.IdentityModel.Tokens;
using Raven.Security.Rights;
using Raven.Security.Tokens;
using TokenReader = Raven.Security.Tokens.TokenReader;

namespace FastTests.Security;

/// <summary>Tokens count if the configured issuer has signed them, for this server, and only as long as they say.
/// </summary>
public sealed class TokenReaderTests
{
    private const string Audience = "raven";

    private static readonly Uri Issuer = new("https://login.example/realm");
    private static readonly ECDsaSecurityKey Key = new(ECDsa.Create(ECCurve.NamedCurves.nistP256)) { KeyId = "k1" };
    private static readonly RsaSecurityKey Rsa = new(RSA.Create(2048)) { KeyId = "k2" };

    private readonly TestClock _clock = new();
    private readonly FixedKeys _keys = new();
    private readonly TokenReader _reader;

    public TokenReaderTests()
    {
        _reader = new TokenReader(
            new IssuerOptions
            {
                Issuer = Issuer,
                Audience = Audience,
                Roles = RoleMap.Parse(
                    """{"ops":{"SecurityClearance":"Operator"},"shop":{"Permissions":{"shop":"ReadWrite"}}}"""),
            },
            _keys, _clock);
    }

    private DateTime Now => _clock.GetUtcNow().UtcDateTime;

    [Theory]
    [InlineData(SecurityAlgorithms.EcdsaSha256)]
    [InlineData(SecurityAlgorithms.RsaSha256)]
    [InlineData(SecurityAlgorithms.RsaSsaPssSha256)]
    [Trait("Security", "45")]
    [Trait("Invariant", "TOKEN-3")]
    public void A_token_of_the_issuer_has_the_rights_of_its_roles(string algorithm)
    {
        Identity identity = _reader.TryRead(Make(algorithm: algorithm))!;
        Assert.Equal(IdentityKind.Jwt, identity.Kind);
        Assert.Equal("ann", identity.Name);
        Assert.Equal(Clearance.ValidUser, identity.Clearance);
        Assert.Equal(DatabaseRight.ReadWrite, identity.RightTo("Shop"));
        Assert.Equal(DatabaseRight.None, identity.RightTo("other"));
    }

    [Fact]
    [Trait("Security", "45")]
    [Trait("Invariant", "TOKEN-1")]
    public void A_token_without_a_signature_or_signed_with_a_public_key_as_secret_does_not_count()
    {
        string[] parts = Make(algorithm: SecurityAlgorithms.RsaSha256).Split('.');
        foreach (string alg in (string[])["none", "None", "NONE", "HS256"])
        {
            string head = Base64UrlEncoder.Encode($"{{\"alg\":\"{alg}\",\"typ\":\"JWT\",\"kid\":\"k2\"}}");
            byte[] secret = Rsa.Rsa.ExportSubjectPublicKeyInfo();
            string signature = Base64UrlEncoder.Encode(
                HMACSHA256.HashData(secret, Encoding.ASCII.GetBytes($"{head}.{parts[1]}")));
            Assert.Null(_reader.TryRead($"{head}.{parts[1]}.{signature}"));
            Assert.Null(_reader.TryRead($"{head}.{parts[1]}."));
        }
    }

    [Fact]
    [Trait("Security", "45")]
    [Trait("Invariant", "TOKEN-1")]
    public void A_signature_of_zeros_does_not_count()
    {
        string[] parts = Make().Split('.');
        Assert.Null(_reader.TryRead($"{parts[0]}.{parts[1]}.{Base64UrlEncoder.Encode(new byte[64])}"));
        Assert.NotNull(_reader.TryRead(string.Join('.', parts)));
    }

    [Fact]
    [Trait("Security", "45")]
    [Trait("Invariant", "TOKEN-2")]
    public void A_token_counts_until_its_end_and_no_longer()
    {
        string token = Make(expires: Now.AddMinutes(5));
        Assert.NotNull(_reader.TryRead(token));
        _clock.Now += TimeSpan.FromMinutes(6) + TimeSpan.FromSeconds(1);
        Assert.Null(_reader.TryRead(token));
    }

    [Theory]
    [InlineData("""{"sub":"ann","iss":"https://login.example/realm","aud":"raven","roles":"shop"}""")]
    [InlineData(
        """{"sub":"ann","iss":"https://login.example/realm","aud":"raven","roles":"shop", """
        + """ "exp":"4102444800"}""")]
    [InlineData(
        """{"sub":"ann","iss":"https://login.example/realm","aud":"raven","roles":"shop", """
        + """ "exp":1,"exp":4102444800}""")]
    [InlineData("""{"sub":"ann","iss":"https://evil.example","aud":"raven","roles":"shop","exp":4102444800}""")]
    [InlineData("""{"sub":"ann","iss":"https://login.example/realm","aud":"other","roles":"shop","exp":4102444800}""")]
    [InlineData("""{"sub":"ann","iss":"https://login.example/realm","roles":"shop","exp":4102444800}""")]
    [InlineData("""{"sub":"ann","iss":"https://login.example/realm","aud":"raven","exp":4102444800}""")]
    [InlineData("""{"sub":"ann","iss":"https://login.example/realm","aud":"raven","roles":"king","exp":4102444800}""")]
    [InlineData("""{"iss":"https://login.example/realm","aud":"raven","roles":"shop","exp":4102444800}""")]
    [Trait("Security", "45")]
    [Trait("Invariant", "TOKEN-2")]
    public void A_token_without_an_end_of_another_issuer_or_without_a_known_role_does_not_count(string claims)
    {
        var handler = new JsonWebTokenHandler { SetDefaultTimesOnTokenCreation = false };
        Assert.Null(_reader.TryRead(handler.CreateToken(
            claims, new SigningCredentials(Key, SecurityAlgorithms.EcdsaSha256))));
    }

    [Theory]
    [InlineData("../../etc/passwd")]
    [InlineData("https://evil.example/keys")]
    [InlineData("k1' or '1'='1")]
    [Trait("Security", "45")]
    public void A_token_that_names_an_unknown_key_asks_for_new_keys_once_and_does_not_count(string kid)
    {
        using var curve = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        Assert.Null(_reader.TryRead(Make(new ECDsaSecurityKey(curve) { KeyId = kid })));
        Assert.Equal(1, _keys.Unknown);
    }

    [Theory]
    [InlineData("jku")]
    [InlineData("x5u")]
    [InlineData("jwk")]
    [Trait("Security", "45")]
    [Trait("Invariant", "ISSUER-1")]
    public void A_token_that_says_where_or_what_its_key_is_is_not_listened_to(string member)
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        using var curve = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var own = new ECDsaSecurityKey(curve) { KeyId = "own" };
        object value = member == "jwk"
            ? new Dictionary<string, object> { ["kty"] = "EC", ["kid"] = "own" }
            : $"https://127.0.0.1:{((IPEndPoint)listener.LocalEndpoint).Port}/keys";
        string token = new JsonWebTokenHandler().CreateToken(new SecurityTokenDescriptor
        {
            Issuer = Issuer.AbsoluteUri,
            Audience = Audience,
            Claims = new Dictionary<string, object> { ["sub"] = "ann", ["roles"] = "shop" },
            Expires = Now.AddHours(1),
            NotBefore = Now,
            IssuedAt = Now,
            AdditionalHeaderClaims = new Dictionary<string, object> { [member] = value },
            SigningCredentials = new SigningCredentials(own, SecurityAlgorithms.EcdsaSha256),
        });
        Assert.Null(_reader.TryRead(token));
        Assert.False(listener.Pending());
    }

    [Fact]
    [Trait("Security", "45")]
    [Trait("Invariant", "TOKEN-1")]
    public void An_encrypted_token_does_not_count()
    {
        var secret = new SymmetricSecurityKey(new byte[32]);
        string token = new JsonWebTokenHandler().CreateToken(new SecurityTokenDescriptor
        {
            Issuer = Issuer.AbsoluteUri,
            Audience = Audience,
            Claims = new Dictionary<string, object> { ["sub"] = "ann", ["roles"] = "shop" },
            Expires = Now.AddHours(1),
            NotBefore = Now,
            IssuedAt = Now,
            SigningCredentials = new SigningCredentials(Key, SecurityAlgorithms.EcdsaSha256),
            EncryptingCredentials = new EncryptingCredentials(
                secret, JwtConstants.DirectKeyUseAlg, SecurityAlgorithms.Aes128CbcHmacSha256),
        });
        Assert.Equal(4, token.Count(letter => letter == '.'));
        Assert.Null(_reader.TryRead(token));
    }

    [Fact]
    [Trait("Security", "45")]
    public void What_is_too_long_or_has_other_parts_does_not_count()
    {
        Assert.Null(_reader.TryRead(new string('a', 1 << 20)));
        Assert.Null(_reader.TryRead(Make() + new string('a', TokenReader.LengthMax)));
        Assert.Null(_reader.TryRead(""));
        Assert.Null(_reader.TryRead(".."));
        Assert.Null(_reader.TryRead("a.b.c.d.e"));
    }

    [Fact]
    [Trait("Security", "45")]
    [Trait("Invariant", "TOKEN-3")]
    public void A_role_cannot_give_the_clearance_of_an_administrator()
    {
        Assert.Throws<FormatException>(() => RoleMap.Parse("""{"a":{"SecurityClearance":"ClusterAdmin"}}"""));
        Assert.Throws<FormatException>(() => RoleMap.Parse("""{"a":{"SecurityClearance":"operator"}}"""));
        Assert.Throws<FormatException>(() => RoleMap.Parse("""{"a":{},"a":{}}"""));
        Assert.Throws<FormatException>(() => RoleMap.Parse("""{"a":{"Permissions":{"x":"Read","X":"Admin"}}}"""));
    }

    [Fact]
    [Trait("Security", "45")]
    [Trait("Invariant", "ISSUER-1")]
    public async Task Keys_are_read_over_https_alone_without_redirects_and_of_a_bounded_size()
    {
        List<string> failures = [];
        using var web = new Web();
        using var keys = new IssuerKeys(Issuer, _clock, failures.Add, web);
        web.Answers["/realm/.well-known/openid-configuration"] = (200,
            """{"issuer":"https://login.example/realm","jwks_uri":"http://login.example/keys"}""");
        await keys.FetchAsync();
        Assert.Contains("is not https", failures[^1], StringComparison.Ordinal);
        web.Answers["/realm/.well-known/openid-configuration"] = (200,
            """{"issuer":"https://login.example/realm","jwks_uri":"https://login.example/keys"}""");
        web.Answers["/keys"] = (302, "");
        await keys.FetchAsync();
        Assert.Contains("answered 302", failures[^1], StringComparison.Ordinal);
        web.Answers["/keys"] = (200, new string(' ', IssuerKeys.AnswerBytesMax + 1));
        await keys.FetchAsync();
        Assert.Empty(keys.Current);
        JsonWebKey key = JsonWebKeyConverter.ConvertFromECDsaSecurityKey(Key);
        web.Answers["/keys"] = (200,
            $$"""{"keys":[{"kty":"EC","crv":"P-256","use":"sig","kid":"k1","x":"{{key.X}}","y":"{{key.Y}}"}]}""");
        await keys.FetchAsync();
        Assert.Equal("k1", Assert.Single(keys.Current).KeyId);
    }

    [Fact]
    [Trait("Security", "45")]
    [Trait("Invariant", "ISSUER-2")]
    public async Task The_issuer_is_asked_once_a_minute_however_many_keys_are_unknown_and_no_one_waits_for_it()
    {
        using var web = new Web { Answer = new TaskCompletionSource() };
        using var keys = new IssuerKeys(Issuer, _clock, _ => { }, web);
        foreach (int seconds in new[] { 0, 59, 2, 30 })
        {
            _clock.Now += TimeSpan.FromSeconds(seconds);
            for (int i = 0; i < 100; i++)
            {
                keys.NoteUnknown();
            }
        }

        // The issuer has not answered yet: once at the start, and once more when a minute was over.
        await Deadline.UntilAsync(() => web.Count >= 2);
        await Deadline.GraceAsync();
        Assert.Equal(2, web.Count);
        web.Answer.SetResult();
    }

    private string Make(
        SecurityKey? key = null, string algorithm = SecurityAlgorithms.EcdsaSha256, DateTime? expires = null)
    {
        key ??= algorithm == SecurityAlgorithms.EcdsaSha256 ? Key : Rsa;
        return new JsonWebTokenHandler().CreateToken(new SecurityTokenDescriptor
        {
            Issuer = Issuer.AbsoluteUri,
            Audience = Audience,
            Claims = new Dictionary<string, object> { ["sub"] = "ann", ["roles"] = new[] { "shop", "unknown" } },
            IssuedAt = Now,
            NotBefore = Now,
            Expires = expires ?? Now.AddHours(1),
            SigningCredentials = new SigningCredentials(key, algorithm),
        });
    }

    private sealed class FixedKeys : ISigningKeys
    {
        public IReadOnlyList<SecurityKey> Current { get; } = [Key, Rsa];

        internal int Unknown { get; private set; }

        public void NoteUnknown() => Unknown++;
    }

    private sealed class Web : HttpMessageHandler
    {
        private int _count;

        internal Dictionary<string, (int Status, string Body)> Answers { get; } = [];

        /// <summary>If there is one, answers wait for it.</summary>
        internal TaskCompletionSource? Answer { get; init; }

        internal int Count => Volatile.Read(ref _count);

        protected override async Task<HttpResponseMessage> SendAsync(
            HttpRequestMessage request, CancellationToken cancellation)
        {
            Interlocked.Increment(ref _count);
            await (Answer?.Task ?? Task.CompletedTask);
            (int status, string body) = Answers.GetValueOrDefault(request.RequestUri!.AbsolutePath, (404, ""));
            return new HttpResponseMessage((HttpStatusCode)status) { Content = new StringContent(body) };
        }
    }
}
