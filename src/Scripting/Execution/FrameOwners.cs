using System.Runtime.CompilerServices;
using Raven.Scripting.Runtime;

namespace Raven.Scripting.Execution;

/// <summary>Whose frame it is: only functions and generators of a script have one, and only they write it.</summary>
internal static class FrameOwners
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static ScriptFunction FunctionOf(Frame frame) => Unsafe.As<ScriptFunction>(frame.Function);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static JsGenerator GeneratorOf(Frame frame) => Unsafe.As<JsGenerator>(frame.Generator!);
}
