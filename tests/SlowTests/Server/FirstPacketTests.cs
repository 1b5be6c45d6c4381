using System.Net.Sockets;
using System.Text;
using FastTests.Server;

namespace SlowTests.Server;

/// <summary>
/// Mutated first packets of HTTP and of workers: whatever they are, the server answers or ends the connection, and
/// serves the next one.
/// </summary>
public sealed class FirstPacketTests
{
    private static readonly string[] Begins =
    [
        "GET /build/version HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        SubscriptionClient.Header,
        SubscriptionClient.Header + SubscriptionClient.Options("none"),
        "\x16\x03\x01\x02\x00\x01",
        " {",
    ];

    [Fact]
    [Trait(Category.Shard, "server")]
    public async Task Mutated_first_packets_never_keep_the_server_from_the_next_one()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        var random = new Random(11);
        byte[] answer = new byte[4096];
        for (int i = 0; i < 20_000; i++)
        {
            byte[] packet = Encoding.Latin1.GetBytes(Begins[random.Next(Begins.Length)]);
            for (int changes = random.Next(4); changes > 0; changes--)
            {
                packet[random.Next(packet.Length)] = (byte)random.Next(256);
            }

            using var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
            socket.Connect("127.0.0.1", server.Port);
            socket.Send(packet.AsSpan(0, random.Next(1, packet.Length + 1)));
            socket.Shutdown(SocketShutdown.Send);
            socket.ReceiveTimeout = 30_000;
            while (Receive(socket, answer) > 0)
            {
                // Read to the end, which must come.
            }

            if (i % 1_000 == 0)
            {
                await server.AssertServesAsync();
            }
        }

        await server.AssertServesAsync();
    }

    private static int Receive(Socket socket, byte[] answer)
    {
        try
        {
            return socket.Receive(answer);
        }
        catch (SocketException e) when (e.SocketErrorCode == SocketError.ConnectionReset)
        {
            return 0;
        }
    }
}
