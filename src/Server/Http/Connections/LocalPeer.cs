using System.Globalization;
using System.Net.Sockets;
using Raven.Security.Rights;

namespace Raven.Server.Http.Connections;

/// <summary>The process at the other end of the local socket, by what the system says of it. Immutable.</summary>
internal sealed class LocalPeer
{
    private const int SocketLevel = 1;       // SOL_SOCKET
    private const int PeerCredentials = 17;  // SO_PEERCRED: pid, uid, gid, each a 32-bit integer
    private const int CredentialsBytes = 12;

    internal LocalPeer(uint user)
    {
        User = user;
        string number = user.ToString(CultureInfo.InvariantCulture);
        Identity = new Identity
        {
            Kind = IdentityKind.Local,
            Name = user == 0 ? "root" : Environment.UserName is { Length: > 0 } name ? name : $"uid {number}",
            Key = $"uid {number}",
            Clearance = Clearance.ClusterAdmin,
        };
    }

    /// <summary>The number of its user.</summary>
    internal uint User { get; }

    /// <summary>What it may do: all that an administrator of the cluster may.</summary>
    internal Identity Identity { get; }

    /// <summary>For the audit log.</summary>
    public override string ToString() => Identity.Key;

    /// <summary>The user of the process that has connected a socket, when it did.</summary>
    internal static uint UserOf(Socket connected)
    {
        Span<byte> credentials = stackalloc byte[CredentialsBytes];
        int length = connected.GetRawSocketOption(SocketLevel, PeerCredentials, credentials);
        return length == CredentialsBytes
            ? BitConverter.ToUInt32(credentials[sizeof(int)..])
            : throw new SocketException((int)SocketError.ProtocolOption);
    }
}
