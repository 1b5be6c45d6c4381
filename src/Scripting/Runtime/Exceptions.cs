using Raven.Scripting.Hosting;


namespace Raven.Scripting.Runtime;

/// <summary>
/// A value on its way from <c>throw</c> to the nearest <c>catch</c>. Leaves a run as a <see cref="ScriptException"/>.
/// </summary>
internal sealed class ThrownException(JsValue value, int position) : Exception
{
    internal JsValue Value => value;

    internal int Position => position;
}

/// <summary>A limit was passed. No script catches it.</summary>
internal sealed class LimitException(ScriptFailure failure, string message, int position) : Exception(message)
{
    internal ScriptFailure Failure => failure;

    internal int Position => position;
}
