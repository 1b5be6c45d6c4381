namespace Raven.Server.Options;

/// <summary>The networks that may connect to a server without a certificate.</summary>
public enum UnsecuredAccess
{
    /// <summary>From this machine: it binds loopback addresses only.</summary>
    Local = 0,

    /// <summary>From a private network (10/8, 172.16/12, 192.168/16, link-local and unique-local IPv6).</summary>
    PrivateNetwork = 1,

    /// <summary>From everywhere.</summary>
    PublicNetwork = 2,
}
