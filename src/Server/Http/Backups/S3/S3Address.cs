using System.Net;
using System.Net.Sockets;
using Raven.Documents.Backups;
using Raven.Server.Options;

namespace Raven.Server.Http.Backups.S3;

//   S3-1  A server of S3 is spoken to over https, and at an address that is no loopback, link-local or metadata
//         address, unless Backup.AllowedHosts names it. The connection goes to the very address that was checked. A
//         refusal says nothing of what is there.

/// <summary>Which servers backups are sent to.</summary>
internal static class S3Address
{
    /// <summary>Addresses that only machines in a cloud have, for secrets of theirs.</summary>
    private static readonly IPAddress[] Metadata =
    [
        IPAddress.Parse("169.254.169.254"), IPAddress.Parse("fd00:ec2::254"), IPAddress.Parse("fd20:ce::254"),
        IPAddress.Parse("100.100.100.200"), IPAddress.Parse("192.0.0.192"), IPAddress.Parse("168.63.129.16"),
    ];

    private static readonly IPNetwork[] Refused =
    [
        IPNetwork.Parse("0.0.0.0/8"), IPNetwork.Parse("127.0.0.0/8"), IPNetwork.Parse("169.254.0.0/16"),
        IPNetwork.Parse("224.0.0.0/4"), IPNetwork.Parse("240.0.0.0/4"),
        IPNetwork.Parse("::/128"), IPNetwork.Parse("::1/128"), IPNetwork.Parse("fe80::/10"),
        IPNetwork.Parse("ff00::/8"),
    ];

    /// <summary>Ways to write an IPv4 address as one of IPv6, with where it is in it.</summary>
    private static readonly (IPNetwork Network, int At)[] Embedding =
        [(IPNetwork.Parse("64:ff9b::/96"), 12), (IPNetwork.Parse("::/96"), 12), (IPNetwork.Parse("2002::/16"), 2)];

    /// <summary>Whether an option names a server, so that its address is not looked at.</summary>
    internal static bool IsAllowed(ServerOptions options, Uri server) =>
        options.BackupHosts.Any(host =>
            host.Equals(server.Host, StringComparison.OrdinalIgnoreCase)
            || host.Equals(server.IdnHost, StringComparison.OrdinalIgnoreCase)
            || host.Equals(server.Authority, StringComparison.OrdinalIgnoreCase));

    /// <summary>Checks what can be known of a server without asking anybody.</summary>
    /// <exception cref="BadRequestException">It may not be used.</exception>
    internal static void Check(ServerOptions options, S3Settings settings)
    {
        if (options.BackupRegions.Count > 0 && settings.Server == null
            && !options.BackupRegions.Contains(settings.Region, StringComparer.OrdinalIgnoreCase))
        {
            throw new BadRequestException(
                400, ErrorType.Argument,
                $"S3Settings.AwsRegionName: '{settings.Region}' is not one of Backup.AllowedAwsRegions.");
        }

        if (settings.Server is not { } server || IsAllowed(options, server))
        {
            return;
        }

        if (server.Scheme != Uri.UriSchemeHttps)
        {
            throw Wrong(
                "S3Settings.CustomServerUrl must begin with https:// unless Backup.AllowedHosts names its host.");
        }

        if (IPAddress.TryParse(server.IdnHost, out IPAddress? literal) && IsRefused(literal))
        {
            throw Wrong(RefusalOf(server.Host));
        }
    }

    /// <summary>Connects to a host whose address was checked.</summary>
    /// <exception cref="BackupPlaceException">None of its addresses may be used.</exception>
    internal static async ValueTask<Stream> ConnectAsync(
        DnsEndPoint endPoint, bool isAllowed, CancellationToken cancellation)
    {
        IPAddress[] addresses = await Dns.GetHostAddressesAsync(endPoint.Host, cancellation).ConfigureAwait(false);
        if (!isAllowed && Array.Exists(addresses, IsRefused))
        {
            throw new BackupPlaceException(RefusalOf(endPoint.Host));
        }

        var socket = new Socket(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        try
        {
            await socket.ConnectAsync(addresses, endPoint.Port, cancellation).ConfigureAwait(false);
            return new NetworkStream(socket, ownsSocket: true);
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }

    /// <summary>Whether an address is one that no request makes this server speak to.</summary>
    internal static bool IsRefused(IPAddress address)
    {
        IPAddress plain = address.IsIPv4MappedToIPv6 ? address.MapToIPv4() : address;
        if (Metadata.Contains(plain) || Array.Exists(Refused, network => network.Contains(plain)))
        {
            return true;
        }

        foreach ((IPNetwork network, int at) in Embedding)
        {
            if (network.Contains(plain) && IsRefused(new IPAddress(plain.GetAddressBytes().AsSpan(at, 4))))
            {
                return true;
            }
        }

        return false;
    }

    private static string RefusalOf(string host) =>
        $"The host '{host}' is at an address of this machine or of its network alone: Backup.AllowedHosts must name "
        + "it.";

    private static BadRequestException Wrong(string message) => new(400, ErrorType.Argument, message);
}
