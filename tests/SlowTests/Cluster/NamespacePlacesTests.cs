using System.Net;
using System.Net.Sockets;
using Shared.Cluster.Processes;

namespace SlowTests.Cluster;

/// <summary>Networks that are cut by tests are cut, in one direction alone.</summary>
[Trait(Category.Shard, "cluster-servers")]
[Trait(Category.Run, Category.Ci)]
public sealed class NamespacePlacesTests
{
    private static readonly TimeSpan Silence = TimeSpan.FromMilliseconds(600);
    private static readonly TimeSpan Hang = TimeSpan.FromMinutes(1);

    [Fact]
    public async Task A_way_that_is_cut_lets_nothing_through_until_it_is_healed_and_the_way_back_is_open()
    {
        if (NamespacePlaces.Problem() is { } problem)
        {
            Assert.Skip(problem);
        }

        await using var places = NamespacePlaces.Make(["A", "B"]);
        using NamespaceSockets ofA = places.SocketsOf("A");
        using NamespaceSockets ofB = places.SocketsOf("B");
        using Socket listener = await ofA.OpenAsync();
        var address = IPEndPoint.Parse(new Uri(places.UrlOf("A")).Authority);
        listener.Bind(address);
        listener.Listen();
        using Socket b = await ofB.OpenAsync();
        await b.ConnectAsync(address, TestContext.Current.CancellationToken);
        using Socket a = await listener.AcceptAsync(TestContext.Current.CancellationToken);

        places.Cut("A", "B");
        await SendAsync(b, 1);
        Assert.Equal(1, await ReceiveAsync(a, Hang));
        await SendAsync(a, 2);
        Assert.Null(await ReceiveAsync(b, Silence));

        using Socket another = await ofB.OpenAsync();
        using var late = new CancellationTokenSource(Silence);
        await Assert.ThrowsAnyAsync<OperationCanceledException>(
            async () => await another.ConnectAsync(address, late.Token));

        places.Heal([("A", "B")]);
        Assert.Equal(2, await ReceiveAsync(b, Hang));
    }

    private static async Task SendAsync(Socket socket, byte value) =>
        Assert.Equal(1, await socket.SendAsync(new[] { value }, TestContext.Current.CancellationToken));

    /// <summary>The next byte; null if none comes.</summary>
    private static async Task<int?> ReceiveAsync(Socket socket, TimeSpan limit)
    {
        byte[] buffer = new byte[1];
        using var late = new CancellationTokenSource(limit);
        try
        {
            return await socket.ReceiveAsync(buffer, late.Token) == 1 ? buffer[0] : null;
        }
        catch (OperationCanceledException)
        {
            return null;
        }
    }
}
