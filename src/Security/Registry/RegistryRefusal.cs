namespace Raven.Security.Registry;

/// <summary>Why a change of the registry is refused.</summary>
public enum RegistryRefusal
{
    /// <summary>What is asked for makes no sense.</summary>
    BadRequest = 0,

    /// <summary>The caller may not do it.</summary>
    Forbidden = 1,

    /// <summary>It cannot be kept now: the disk, or the audit log that must hold it, takes nothing.</summary>
    Unavailable = 2,
}
