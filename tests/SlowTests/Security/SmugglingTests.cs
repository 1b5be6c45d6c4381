using System.Net.Security;
using System.Security.Cryptography.X509Certificates;
using FastTests.Support;

namespace SlowTests.Security;

/// <summary>
/// A caller who may only read sends requests whose end two readers could see at two places, with another request hidden
/// inside: it is never read as one.
/// </summary>
[Trait(Category.Shard, "tls")]
public sealed class SmugglingTests(SecuredProcess server) : IClassFixture<SecuredProcess>
{
    [Fact]
    [Trait(Category.Run, Category.Ci)]
    [Trait("Security", "13")]
    public async Task A_request_hidden_in_another_is_never_run()
    {
        await server.CreateDatabaseAsync("hidden");
        using X509Certificate2 reader = await server.RegisterAsync("reader-13", "ValidUser", ("hidden", "Read"));
        SslStreamCertificateContext own = SslStreamCertificateContext.Create(reader, null, offline: true);
        await Task.WhenAll(HiddenRequest.Framings.Select(async framing =>
        {
            await using SslStream tls = await server.OpenAsync(own, SslApplicationProtocol.Http11);
            string[] statuses = await HiddenRequest.SendAsync(tls, framing);
            Assert.True(
                statuses.Skip(1).All(status => status == "400"), $"{string.Join(' ', statuses)} for {framing.Headers}");
        }));

        // Whoever may not delete is in the audit log if the server took it for a request, as it takes this one.
        using HttpClient open = server.Client(reader);
        await open.DeleteAsync(new Uri("/admin/databases", UriKind.Relative));
        await Deadline.UntilAsync(
            () => server.ReadAudit().Contains(HiddenRequest.FirstLine, StringComparison.Ordinal));
        Assert.Equal(2, server.ReadAudit().Split(HiddenRequest.FirstLine).Length);
        using HttpClient admin = server.Client(server.Admin);
        Assert.Contains(
            "hidden", await admin.GetStringAsync(new Uri("/databases", UriKind.Relative)), StringComparison.Ordinal);
    }

    /// <summary>Each server before GUARD-6 ran some of them: the answer cannot be sent, so nobody dropped the body.
    /// </summary>
    [Fact]
    [Trait(Category.Run, Category.Ci)]
    [Trait("Invariant", "GUARD-6")]
    [Trait("Security", "13")]
    public async Task A_body_whose_client_has_gone_is_never_run()
    {
        await server.CreateDatabaseAsync("gone");
        SslStreamCertificateContext own = SslStreamCertificateContext.Create(server.Admin, null, offline: true);
        for (int round = 0; round < 4; round++)
        {
            SslStream[] connections = await Task.WhenAll(
                Enumerable.Range(0, 12).Select(_ => server.OpenAsync(own, SslApplicationProtocol.Http11)));

            // All of it is there, and the end behind it, when the server goes on.
            server.Server.Signal("STOP");
            try
            {
                for (int i = 0; i < connections.Length; i++)
                {
                    await connections[i].WriteAsync(HiddenRequest.InBody(i, $"hidden/{round}-{i}"));
                    await connections[i].DisposeAsync();
                }
            }
            finally
            {
                server.Server.Signal("CONT");
            }

            await server.AssertServesAsync();
        }

        using HttpClient admin = server.Client(server.Admin);
        string found = await admin.GetStringAsync(
            new Uri("/databases/gone/docs?startsWith=hidden/", UriKind.Relative));
        Assert.Contains("\"Results\":[]", found, StringComparison.Ordinal);
    }
}
