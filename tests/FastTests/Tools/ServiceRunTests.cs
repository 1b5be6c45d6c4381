using System.Net;
using System.Net.Sockets;
using System.Text;
using FastTests.Support;
using Microsoft.Extensions.Logging;
using Raven.CommandLine.Service;
using Raven.Server;

namespace FastTests.Tools;

/// <summary>A server that a manager of services starts and stops, by what Windows calls.</summary>
public sealed class ServiceRunTests : IDisposable
{
    private static readonly TimeSpan Step = TimeSpan.FromMilliseconds(1);

    private readonly string _folder = Directory.CreateTempSubdirectory("raven-service-").FullName;
    private readonly List<string> _failures = [];
    private readonly TaskCompletionSource<string> _url = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public async Task A_stop_lets_a_running_request_end_and_takes_no_other()
    {
        using var run = new ServiceRun(Program.ServeAsync, Step);
        Assert.True(await run.StartAsync(Owner("--Shutdown.DrainSecondsMax=60"), _ => { }));
        // Behind the address stands that of the Studio.
        var url = new Uri((await _url.Task).Split(' ')[0]);
        using var client = new TcpClient();
        await client.ConnectAsync(url.Host, url.Port);
        NetworkStream stream = client.GetStream();
        const string body = """{"DatabaseName":"late"}""";
        await stream.WriteAsync(Encoding.ASCII.GetBytes(
            $"PUT /admin/databases?name=late HTTP/1.1\r\nHost: {url.Authority}\r\nContent-Type: application/json\r\n"
            + $"Content-Length: {body.Length}\r\nExpect: 100-continue\r\n\r\n"));
        using var reader = new StreamReader(stream);
        Assert.Equal("HTTP/1.1 100 Continue", await reader.ReadLineAsync());

        // The request runs, and waits for its body.
        Task<int> stopped = run.StopAsync(_ => { });
        await RefusesAsync(url);
        Assert.False(stopped.IsCompleted);
        await stream.WriteAsync(Encoding.ASCII.GetBytes(body));
        Assert.Equal("", await reader.ReadLineAsync());
        Assert.Equal("HTTP/1.1 201 Created", await reader.ReadLineAsync());
        client.Close();
        Assert.Equal(0, await stopped.WaitAsync(Deadline.Hang));
        Assert.Empty(_failures);
        Assert.Equal(0, await run.Ended);
    }

    [Theory]
    [InlineData("--DataDri=x", 2, "DataDir")]
    [InlineData("--ServerUrl=http://192.0.2.1:1", 2, "UnsecuredAccessAllowed")]
    public async Task A_server_that_cannot_start_says_why(string option, int code, string says)
    {
        using var run = new ServiceRun(Program.ServeAsync, Step);
        Assert.False(await run.StartAsync(Owner(option), _ => { }));
        Assert.Equal(code, await run.Ended);
        Assert.Contains(says, Assert.Single(_failures), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_bug_is_said_too()
    {
        using var run = new ServiceRun(_ => throw new InvalidOperationException("a bug"), Step);
        Assert.False(await run.StartAsync(Owner(), _ => { }));
        Assert.Equal(1, await run.Ended);
        Assert.Contains("a bug", Assert.Single(_failures), StringComparison.Ordinal);
    }

    [Fact]
    public async Task While_a_start_or_a_stop_takes_long_the_manager_is_asked_for_time()
    {
        var begun = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var ended = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        using var run = new ServiceRun(
            async owner =>
            {
                await begun.Task;
                owner.Ready("url");
                await ended.Task;
                return owner.Stop.IsCancellationRequested ? 0 : 9;
            },
            Step);
        using var asked = new SemaphoreSlim(0);
        Task<bool> started = run.StartAsync(Owner(), more => Ask(more));
        await PassAsync(2);
        Assert.False(started.IsCompleted);
        begun.SetResult();
        Assert.True(await started);
        Task<int> stopped = run.StopAsync(more => Ask(more));
        await PassAsync(3);
        Assert.False(stopped.IsCompleted);
        ended.SetResult();
        Assert.Equal(0, await stopped);

        void Ask(TimeSpan more)
        {
            Assert.True(more > Step);
            asked.Release();
        }

        async Task PassAsync(int steps)
        {
            for (int i = 0; i < steps; i++)
            {
                Assert.True(await asked.WaitAsync(Deadline.Hang));
            }
        }
    }

    private ProcessOwner Owner(params string[] options) => new(
        ["--ServerUrl=http://127.0.0.1:0", $"--DataDir={_folder}", .. options], url => _url.TrySetResult(url),
        _failures.Add, logging => logging.SetMinimumLevel(LogLevel.None), CancellationToken.None);

    /// <summary>Waits until the server takes no connection any more.</summary>
    private static Task RefusesAsync(Uri url) => Deadline.UntilAsync(async () =>
    {
        try
        {
            using var client = new TcpClient();
            await client.ConnectAsync(IPAddress.Loopback, url.Port);
            return false;
        }
        catch (SocketException)
        {
            return true;
        }
    });
}
