using System.Net;
using Microsoft.AspNetCore.Hosting.Server.Features;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.AspNetCore.Server.Kestrel.Transport.Sockets;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging.Abstractions;
using Raven.Security.Certificates;
using Raven.Server;
using Raven.Server.Http.Connections;
using Raven.Server.Http.Routing;
using Raven.Server.Http.Security;
using Raven.Server.Options;
using KestrelSettings = Microsoft.Extensions.Options.Options;

namespace Raven.Tools.Bench.Suites.Security;

/// <summary>
/// Our server over the same TLS, whose requests ask no caller who he is: what is left if identities and rights are
/// taken away.
/// </summary>
internal sealed class RightsFreeServer : IChildProgram
{
    internal const string ProgramName = "server-without-rights";

    public string Name => ProgramName;

    public int Run(string[] arguments)
    {
        using ServerHost host = ServerHost.Start(
            new ServerOptions { RunInMemory = true, ServerUrl = new Uri("http://127.0.0.1:0") });
        using (var client = new HttpClient { BaseAddress = new Uri(host.Url) })
        {
            SecuredSetup.StoreDocument(client);
        }

        NullLoggerFactory loggers = NullLoggerFactory.Instance;
        using ServiceProvider services = KestrelServices.Create(loggers);
        var kestrel = new KestrelServerOptions
        {
            AddServerHeader = false,
            AllowSynchronousIO = false,
            ApplicationServices = services,
        };
        var security = new SecurityOptions { CertificatePath = arguments[0] };
        var tls = new TlsEndpoint(
            ServerCertificate.Load(security.ToCertificateSource()!, TimeProvider.System), security,
            host.State.Security.Handshakes);
        kestrel.Listen(IPAddress.Loopback, 0, listen =>
        {
            tls.Configure(listen);
            listen.Use(RefusalConnection.Wrap);
        });
        var sockets = new SocketTransportFactory(KestrelSettings.Create(new SocketTransportOptions()), loggers);
        using var server = new KestrelServer(KestrelSettings.Create(kestrel), sockets, loggers);
        server.StartAsync(new RequestRouter(host.State), CancellationToken.None).GetAwaiter().GetResult();
        string url = server.Features.Get<IServerAddressesFeature>()!.Addresses.First();
        Console.WriteLine($"Server available on: {url}");
        Thread.Sleep(Timeout.Infinite);
        return 0;
    }
}
