using System.Net;
using Raven.Tools.Bench.Suites.Http;
using Raven.Tools.Load;

namespace Raven.Tools.Bench.Suites.Security;

/// <summary>
/// 64 clients at work over TLS, alone and beside a flood from other addresses: 2,000 half-open handshakes and 1,000
/// failed logins a second. The flood is made on the same processors.
/// </summary>
internal sealed class FloodSuite : IBenchSuite
{
    private const string RowName = "64 clients beside 2,000 half-open handshakes and 1,000 failed logins/s";
    private const int HalfOpen = 2000;
    private const int FailedLoginsPerSecond = 1000;
    private const int FailingClients = 32;
    private const double P99Max = 2;
    private const double MegabytesMax = 100;
    private const double KeptMegabytesMax = 20;
    private const string WrongKey = "rvk_aaaaaaaaaaaa_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa_aaaaaa";

    private static readonly TimeSpan WarmUp = TimeSpan.FromSeconds(3);
    private static readonly TimeSpan WorkTime = TimeSpan.FromSeconds(6);
    private static readonly TimeSpan GivenBack = TimeSpan.FromSeconds(30);

    public string Name => "security";

    public IEnumerable<BenchRow> GetRows(BenchContext context)
    {
        if (!context.Wants(RowName))
        {
            yield break;
        }

        if (!OperatingSystem.IsLinux())
        {
            yield return BenchRow.Skip(RowName, "us", "memory of other processes is read from /proc");
            yield break;
        }

        using var setup = new SecuredSetup(Path.Combine(context.ScratchDirectory, "flood"));
        LoadOptions work = SecuredSetup.Load(
            setup.Ours, setup.ByCertificate, SecuredSetup.DocumentPath) with
        { Duration = WorkTime };
        setup.Ours.Load(work with { Duration = WarmUp });
        double[] alone = setup.Ours.Load(work);
        double before = setup.Ours.ReadAnonymousMegabytes();
        (double[] beside, double during) = RunBeside(setup, work);
        Thread.Sleep(GivenBack);
        double after = setup.Ours.ReadAnonymousMegabytes();
        yield return Beside("p99", "us", HttpRounds.P99Microseconds, BenchTarget.RatioAtMost(P99Max));
        yield return Beside("server CPU", "us/request", HttpRounds.CpuMicroseconds, BenchTarget.None);
        yield return Beside("requests/s", "requests/s", HttpRounds.RequestsPerSecond, BenchTarget.None);
        yield return Once("memory more at the end of the flood", during - before, BenchTarget.AtMost(MegabytesMax));
        yield return Once("memory more 30 s later", after - before, BenchTarget.AtMost(KeptMegabytesMax));

        BenchRow Beside(string what, string unit, int metric, BenchTarget target) => new()
        {
            Name = $"{RowName}: {what}",
            Unit = unit,
            PeerName = "the same alone",
            Target = target,
            WarmUpRuns = 0,
            Runs = 1,
            Ours = () => beside[metric],
            Peer = () => alone[metric],
        };
    }

    private static BenchRow Once(string what, double megabytes, BenchTarget target) => new()
    {
        Name = $"{RowName}: {what}",
        Unit = "MB",
        Target = target,
        WarmUpRuns = 0,
        Runs = 1,
        Ours = () => megabytes,
    };

    /// <summary>The work beside the flood, and the memory of the server at the end of it.</summary>
    private static (double[] Beside, double Megabytes) RunBeside(SecuredSetup setup, LoadOptions work)
    {
        var flood = new HalfOpenFlood(work.Server, IPAddress.Parse("127.0.0.2"), HalfOpen);
        Thread.Sleep(WarmUp);
        LoadOptions failing = SecuredSetup.Load(
            setup.Ours, setup.WithoutCertificate, SecuredSetup.VersionPath, WrongKey) with
        {
            From = IPAddress.Parse("127.0.0.3"),
            Clients = FailingClients,
            RatePerSecond = FailedLoginsPerSecond,
            Duration = WorkTime,
        };
        Task<LoadReport> logins = LoadRun.RunAsync(failing);
        double[] beside = setup.Ours.Load(work);
        double megabytes = setup.Ours.ReadAnonymousMegabytes();
        LoadReport failed = logins.GetAwaiter().GetResult();
        flood.DisposeAsync().AsTask().GetAwaiter().GetResult();
        long wanted = (long)(FailedLoginsPerSecond * WorkTime.TotalSeconds);
        return failed.Successful > 0 || failed.BadFailed < wanted * 9 / 10
            ? throw new InvalidOperationException(
                $"of {wanted} logins that should fail {failed.BadFailed} did, and {failed.Successful} came in")
            : (beside, megabytes);
    }
}
