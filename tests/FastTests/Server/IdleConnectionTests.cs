using FastTests.Support;

namespace FastTests.Server;

/// <summary>
/// Connections that send nothing, or a part of a request and no more, cost little and hold up no other one. Alone,
/// because what they cost is seen in the memory of the whole process, their clients' ends included.
/// </summary>
[Collection(Alone.Name)]
public sealed class IdleConnectionTests
{
    private const int Connections = 500;
    private const int ConnectionSizeBytesMax = 16 * 1024;

    /// <summary>So many threads come and go by themselves; one a connection would be many more.</summary>
    private const int ThreadsMax = 50;

    private static readonly (string Begins, string Ends)[] Requests =
    [
        ("", "GET /build/version HTTP/1.1\r\nHost: localhost\r\n\r\n"),
        ("GET /build/ver", "sion HTTP/1.1\r\nHost: localhost\r\n\r\n"),
        ("GET /build/version HTTP/1.1\r\nHost: loc", "alhost\r\n\r\n"),
        ("GET /build/version HTTP/1.1\r\nHost: localhost\r\n", "\r\n"),
    ];

    [Fact]
    public async Task Five_hundred_idle_connections_take_little_memory_and_delay_no_other_request()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();

        // What the first connections bring about for good is not theirs.
        Connect(server.Port, Connections / 10).ForEach(connection => connection.Dispose());
        await AssertServesAsync(server);

        long before = await SettledMemoryAsync();
        int threads = ThreadPool.ThreadCount;
        List<RawConnection> idle = Connect(server.Port, Connections);
        try
        {
            await AssertServesAsync(server);
            long each = (GC.GetTotalMemory(forceFullCollection: true) - before) / Connections;
            Assert.True(each <= ConnectionSizeBytesMax, $"{each} bytes a connection");
            Assert.InRange(ThreadPool.ThreadCount, 0, threads + ThreadsMax);
            foreach ((int i, RawConnection connection) in idle.Index())
            {
                connection.Send(Requests[i % Requests.Length].Ends);
                Assert.Equal(200, connection.Receive().Status);
            }
        }
        finally
        {
            idle.ForEach(connection => connection.Dispose());
        }
    }

    /// <summary>
    /// The memory that is left when nothing runs anymore: earlier tests leave memory to finalizers, to servers that are
    /// still closing, and to pools that release it over time.
    /// </summary>
    private static async Task<long> SettledMemoryAsync()
    {
        long bytes = long.MaxValue;
        for (int i = 0; i < 20; i++)
        {
            GC.Collect();
            GC.WaitForPendingFinalizers();
            long now = GC.GetTotalMemory(forceFullCollection: true);
            if (now > bytes - (256 << 10))
            {
                return now;
            }

            bytes = now;
            await Deadline.GraceAsync();
        }

        return bytes;
    }

    private static List<RawConnection> Connect(int port, int count)
    {
        List<RawConnection> connections = [];
        for (int i = 0; i < count; i++)
        {
            connections.Add(new RawConnection(port));
            connections[i].Send(Requests[i % Requests.Length].Begins);
        }

        return connections;
    }

    /// <summary>A connection that there is, and new ones, which are accepted behind all idle ones.</summary>
    private static async Task AssertServesAsync(TestServer server)
    {
        for (int i = 0; i < 20; i++)
        {
            await server.AssertServesAsync().WaitAsync(Deadline.Hang);
            using var fresh = new RawConnection(server.Port);
            fresh.Send("GET /build/version HTTP/1.1\r\nHost: localhost\r\n\r\n");
            Assert.Equal(200, fresh.Receive().Status);
        }
    }
}
