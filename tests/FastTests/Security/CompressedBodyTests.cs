using System.Text;
using FastTests.Server;
using Microsoft.Extensions.Primitives;

namespace FastTests.Security;

/// <summary>What a compressed body says of its length is not believed, and no stranger has one inflated.</summary>
[Trait("Security", "51")]
public sealed class CompressedBodyTests(SecuredServer secured) : IClassFixture<SecuredServer>
{
    private const string Canary = "canary-of-another-caller";
    private const string Target = "/databases/red/docs?id=packed";

    [Theory]
    [InlineData("gzip")]
    [InlineData("deflate")]
    [InlineData("br")]
    [InlineData("zstd")]
    public void No_byte_of_another_request_is_in_what_a_broken_body_becomes(string encoding)
    {
        // Buffers are used again: they have the bytes of this one then.
        byte[] before = Encoding.UTF8.GetBytes(
            $"{{\"Text\":\"{string.Concat(Enumerable.Repeat(Canary, 400))}\"}}");
        byte[] whole = Compressed.By(encoding, "{\"Name\":\"a text that is long enough to be cut\"}"u8.ToArray());
        for (int place = 0; place < whole.Length; place++)
        {
            Assert.Equal(
                201, Send("O", "/databases/blue/docs?id=a", Compressed.By(encoding, before), encoding).StatusCode);
            byte[] broken = [.. whole];
            broken[place] ^= 0xFF;
            AssertHarmless(Send("W", Target, broken, encoding));
            AssertHarmless(Send("W", Target, whole[..place], encoding));
        }
    }

    [Fact]
    public void The_length_at_the_end_of_a_gzip_body_is_not_believed()
    {
        byte[] whole = Compressed.By("gzip", "{\"Name\":\"short\"}"u8.ToArray());
        foreach (byte[] length in (byte[][])[[0, 0, 0, 0], [1, 0, 0, 0], [0xFF, 0xFF, 0xFF, 0x7F], [0, 0, 0, 0x80]])
        {
            byte[] lying = [.. whole[..^4], .. length];
            InMemoryRequest answer = Send("W", Target, lying, "gzip");
            Assert.True(answer.StatusCode == 400, answer.Answer);
        }
    }

    [Theory]
    [InlineData("br")]
    [InlineData("zstd")]
    public void A_body_that_inflates_ten_thousandfold_is_refused(string encoding)
    {
        byte[] bomb = Compressed.By(
            encoding, Encoding.ASCII.GetBytes($"{{\"a\":\"{new string('x', 2_000_000)}\"}}"));
        InMemoryRequest answer = Send("W", Target, bomb, encoding);
        Assert.True(answer.StatusCode == 413, answer.Answer);
        Assert.Contains("times its size", answer.Answer, StringComparison.Ordinal);

        // A bomb in a bomb stays packed once.
        Assert.Equal(400, Send("W", Target, Compressed.By(encoding, bomb), encoding).StatusCode);
    }

    [Theory]
    [InlineData("gzip, gzip")]
    [InlineData("gzip,br")]
    [InlineData("identity, gzip")]
    [InlineData("gzip;q=1")]
    [InlineData("x-gzip")]
    public void A_body_has_one_encoding_by_its_name(string encoding)
    {
        byte[] body = Compressed.By("gzip", Compressed.By("gzip", "{}"u8.ToArray()));
        Assert.Equal(415, Send("W", Target, body, encoding).StatusCode);
    }

    [Fact]
    public void Two_headers_are_two_encodings() => Assert.Equal(
        415, Send("W", Target, Compressed.By("gzip", "{}"u8.ToArray()), "gzip", "gzip").StatusCode);

    [Theory]
    [InlineData("N", "gzip")]
    [InlineData("U", "gzip")]
    [InlineData("E", "br")]
    [InlineData("R", "zstd")]
    [InlineData("U", "unknown")]
    [InlineData("R", "gzip, gzip")]
    public void Who_has_no_right_is_refused_before_anything_is_inflated(string caller, string encoding)
    {
        byte[] bomb = Compressed.By("gzip", new byte[1_000_000]);
        foreach (string target in new[] { Target, "/databases/red/bulk_docs", "/admin/certificates", "/nothing" })
        {
            InMemoryRequest answer = Send(caller, target, bomb, encoding);
            Assert.Equal(caller == "R" && target == "/nothing" ? 404 : 403, answer.StatusCode);
            Assert.False(answer.WasBodyRead);
        }
    }

    /// <summary>The answer, and what was stored if it was taken.</summary>
    private void AssertHarmless(InMemoryRequest answer)
    {
        Assert.True(answer.StatusCode is 201 or 400 or 413, answer.Answer);
        Assert.DoesNotContain("canary", answer.Answer, StringComparison.Ordinal);
        if (answer.StatusCode == 201)
        {
            string stored = secured.Send("W", "GET", Target).Answer;
            Assert.DoesNotContain("canary", stored, StringComparison.Ordinal);
        }
    }

    private InMemoryRequest Send(string caller, string target, byte[] body, params string[] encodings)
    {
        string[] parts = target.Split('?', 2);
        string method = target.Contains("bulk_docs", StringComparison.Ordinal) ? "POST" : "PUT";
        var request = new InMemoryRequest(method, parts[0], parts.Length == 2 ? "?" + parts[1] : "")
        {
            BodyBytes = body,
            ClientCertificate = secured.Caller(caller).Certificate,
            RemoteIpAddress = secured.NextAddress(),
            MayBeAborted = true,
        };
        request.Request["Content-Encoding"] = new StringValues(encodings);
        secured.Server.Send(request);
        return request;
    }
}
