using System.Net.Sockets;
using System.Security.Cryptography.X509Certificates;
using FastTests.Security;
using FastTests.Support;
using Raven.Security.Rights;
using Raven.Server.Http.Security;

namespace SlowTests.Security;

/// <summary>Handshakes that do not come to their end: their time is over after ten seconds.</summary>
[Trait(Category.Shard, "attacks")]
public sealed class SlowHandshakeTests
{
    private const int Silent = 100;
    private const int Trickling = 100;

    private static readonly TimeSpan BetweenBytes = TimeSpan.FromSeconds(1);

    /// <summary>The head of a record whose 512 bytes never come whole.</summary>
    private static readonly byte[] Hello = [22, 3, 1, 2, 0, 1, 0, 1, 252, 3, 3, .. new byte[50]];

    [Fact]
    [Trait("Security", "11")]
    public async Task Silent_and_trickling_handshakes_end_and_others_are_served_meanwhile()
    {
        using var server = new TlsServer();
        using X509Certificate2 certificate = server.Register(DatabaseRight.Read);
        Handshakes handshakes = server.Host.State.Security.Handshakes;
        Task<int>[] floods =
        [
            .. Enumerable.Range(0, Silent).Select(_ => HoldAsync(server, bytes: 3)),
            .. Enumerable.Range(0, Trickling).Select(_ => HoldAsync(server, Hello.Length)),
        ];
        await Deadline.UntilAsync(() => handshakes.Count == Silent + Trickling);
        while (handshakes.Count > 0)
        {
            using HttpClient client = server.Client(certificate);
            using HttpResponseMessage answer = await client.GetAsync(new Uri("/databases", UriKind.Relative));
            Assert.True(answer.IsSuccessStatusCode);
            await Deadline.GraceAsync();
        }

        int[] sent = await Task.WhenAll(floods).WaitAsync(Deadline.Hang);
        Assert.Equal(0, handshakes.RefusedCount);
        Assert.All(sent, bytes => Assert.InRange(bytes, 0, Hello.Length - 1));
    }

    /// <summary>Sends so many bytes, one in a second, and waits until the server ends the connection.</summary>
    /// <returns>How many it has sent.</returns>
    private static async Task<int> HoldAsync(TlsServer server, int bytes)
    {
        using Socket socket = await server.ConnectAsync("127.0.0.1");
        int sent = 0;
        try
        {
            Task<int> end = socket.ReceiveAsync(new byte[1]);
            while (sent < bytes && !end.IsCompleted)
            {
                await socket.SendAsync(Hello.AsMemory(sent, 1));
                sent++;
                await Task.WhenAny(end, Task.Delay(BetweenBytes, TimeProvider.System));
            }

            await end.WaitAsync(Deadline.Hang);
        }
        catch (SocketException)
        {
            // The server has broken it off.
        }

        return sent;
    }
}
