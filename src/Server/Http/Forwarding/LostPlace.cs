namespace Raven.Server.Http.Forwarding;

/// <summary>What becomes of a request whose node has found, while it served it, that it may not.</summary>
internal enum LostPlace
{
    /// <summary>It is answered, mostly by another node.</summary>
    Answered,

    /// <summary>This node may serve it again, from the beginning.</summary>
    Again,

    /// <summary>It cannot be sent to another node, as its body was read and not kept.</summary>
    Refused,
}
