namespace Raven.Server.Options;

/// <summary>The networks that may connect to a server without a certificate.</summary>
public enum UnsecuredAccess
{
    /// <summary>None: without a certificate the server does not start.</summary>
    None = 0,

    /// <summary>From this machine: it binds loopback addresses only.</summary>
    Local = 1,

    /// <summary>From a private network (10/8, 172.16/12, 192.168/16, 100.64/10, link-local and unique-local
    /// IPv6).</summary>
    PrivateNetwork = 2,

    /// <summary>From everywhere.</summary>
    PublicNetwork = 3,
}
