; Made of the C files of this folder by `python -m tools.native_ir`: not to be edited.
; clang version 22.1.8
; sources 9aab05e2c0008e17d0480f31cea1c922407398e11e2449fa0636ccbcafd0691e

%struct.Complex_f32 = type { <8 x float>, <8 x float> }
%struct.Complex_f64 = type { <4 x double>, <4 x double> }

define void @transform_f32(ptr %0, i64 %1, i64 %2, i64 %3) nounwind {
  %5 = alloca [4 x ptr], align 16
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 48
  %7 = load ptr, ptr %6, align 8
  %8 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %9 = load ptr, ptr %8, align 8
  %10 = getelementptr inbounds nuw i8, ptr %7, i64 16
  %11 = load i64, ptr %10, align 8
  %12 = icmp sgt i64 %11, 1
  br i1 %12, label %13, label %24

13:
  %14 = phi i64 [ %22, %18 ], [ 0, %4 ]
  %15 = getelementptr inbounds i32, ptr %9, i64 %14
  %16 = atomicrmw xchg ptr %15, i32 1 acquire, align 4
  %17 = icmp eq i32 %16, 0
  br i1 %17, label %24, label %18

18:
  %19 = add i64 %14, 1
  %20 = load i64, ptr %10, align 8
  %21 = icmp slt i64 %19, %20
  %22 = select i1 %21, i64 %19, i64 0
  %23 = icmp sgt i64 %20, 1
  br i1 %23, label %13, label %24

24:
  %25 = phi i64 [ 0, %4 ], [ %22, %18 ], [ %14, %13 ]
  %26 = load ptr, ptr %0, align 8
  store ptr %26, ptr %5, align 16
  %27 = getelementptr inbounds nuw i8, ptr %5, i64 8
  %28 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %29 = load ptr, ptr %28, align 8
  store ptr %29, ptr %27, align 8
  %30 = getelementptr inbounds nuw i8, ptr %5, i64 16
  %31 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %32 = load ptr, ptr %31, align 8
  %33 = getelementptr inbounds nuw i8, ptr %7, i64 32
  %34 = load i64, ptr %33, align 8
  %35 = mul i64 %34, %25
  %36 = getelementptr inbounds i8, ptr %32, i64 %35
  store ptr %36, ptr %30, align 16
  %37 = getelementptr inbounds nuw i8, ptr %5, i64 24
  %38 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %39 = load ptr, ptr %38, align 8
  %40 = getelementptr inbounds nuw i8, ptr %7, i64 40
  %41 = load i64, ptr %40, align 8
  %42 = mul i64 %41, %25
  %43 = getelementptr inbounds i8, ptr %39, i64 %42
  store ptr %43, ptr %37, align 8
  %44 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %45 = load ptr, ptr %44, align 8
  %46 = getelementptr inbounds nuw i8, ptr %7, i64 24
  %47 = load i64, ptr %46, align 8
  %48 = mul i64 %47, %25
  %49 = getelementptr inbounds i8, ptr %45, i64 %48
  %50 = icmp slt i64 %1, %2
  br i1 %50, label %51, label %54

51:
  %52 = getelementptr inbounds nuw i8, ptr %7, i64 8
  %53 = getelementptr inbounds nuw i8, ptr %7, i64 48
  br label %57

54:
  %55 = load i64, ptr %10, align 8
  %56 = icmp sgt i64 %55, 1
  br i1 %56, label %108, label %110

57:
  %58 = phi i64 [ %1, %51 ], [ %106, %105 ]
  %59 = load i64, ptr %52, align 8
  %60 = icmp eq i64 %59, 0
  br i1 %60, label %61, label %64

61:
  %62 = load i64, ptr %7, align 8
  %63 = icmp sgt i64 %62, 0
  br i1 %63, label %68, label %105

64:
  %65 = load ptr, ptr %53, align 8
  %66 = sdiv i64 %58, %59
  %67 = srem i64 %58, %59
  call fastcc void @step_f32(ptr %65, i64 %66, i64 %67, ptr %5, ptr %49)
  br label %105

68:
  %69 = phi i64 [ %97, %96 ], [ %62, %61 ]
  %70 = phi i64 [ %98, %96 ], [ 0, %61 ]
  %71 = getelementptr inbounds nuw ptr, ptr %53, i64 %70
  %72 = load ptr, ptr %71, align 8
  %73 = getelementptr inbounds nuw i8, ptr %72, i64 16
  %74 = load i64, ptr %73, align 8
  %75 = load i64, ptr %72, align 8
  %76 = icmp eq i64 %75, 0
  br i1 %76, label %77, label %85

77:
  %78 = getelementptr inbounds nuw i8, ptr %72, i64 24
  %79 = load i64, ptr %78, align 8
  %80 = add i64 %79, -1
  %81 = getelementptr inbounds nuw i8, ptr %72, i64 40
  %82 = load i64, ptr %81, align 8
  %83 = shl i64 %82, 3
  %84 = sdiv i64 %80, %83
  br label %89

85:
  %86 = getelementptr inbounds nuw i8, ptr %72, i64 8
  %87 = load i64, ptr %86, align 8
  %88 = sdiv i64 %87, 512
  br label %89

89:
  %90 = phi i64 [ %84, %77 ], [ %88, %85 ]
  %91 = add i64 %90, 1
  %92 = mul i64 %91, %74
  %93 = icmp sgt i64 %92, 0
  br i1 %93, label %100, label %96

94:
  %95 = load i64, ptr %7, align 8
  br label %96

96:
  %97 = phi i64 [ %95, %94 ], [ %69, %89 ]
  %98 = add nuw nsw i64 %70, 1
  %99 = icmp slt i64 %98, %97
  br i1 %99, label %68, label %105

100:
  %101 = phi i64 [ %103, %100 ], [ 0, %89 ]
  %102 = load ptr, ptr %71, align 8
  call fastcc void @step_f32(ptr %102, i64 %58, i64 %101, ptr %5, ptr %49)
  %103 = add nuw nsw i64 %101, 1
  %104 = icmp eq i64 %103, %92
  br i1 %104, label %94, label %100

105:
  %106 = add nsw i64 %58, 1
  %107 = icmp eq i64 %106, %2
  br i1 %107, label %54, label %57

108:
  %109 = getelementptr inbounds i32, ptr %9, i64 %25
  store atomic i32 0, ptr %109 release, align 4
  br label %110

110:
  ret void
}

define internal fastcc void @step_f32(ptr %0, i64 %1, i64 %2, ptr %3, ptr %4) nounwind {
  %6 = alloca [8 x %struct.Complex_f32], align 32
  %7 = alloca [8 x %struct.Complex_f32], align 32
  %8 = alloca [64 x i64], align 16
  %9 = alloca [64 x i64], align 16
  %10 = load i64, ptr %0, align 8
  %11 = icmp eq i64 %10, 0
  br i1 %11, label %12, label %20

12:
  %13 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %14 = load i64, ptr %13, align 8
  %15 = add i64 %14, -1
  %16 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %17 = load i64, ptr %16, align 8
  %18 = shl i64 %17, 3
  %19 = sdiv i64 %15, %18
  br label %24

20:
  %21 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %22 = load i64, ptr %21, align 8
  %23 = sdiv i64 %22, 512
  br label %24

24:
  %25 = phi i64 [ %19, %12 ], [ %23, %20 ]
  %26 = add i64 %25, 1
  %27 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %28 = load i64, ptr %27, align 8
  %29 = icmp eq i64 %28, 1
  br i1 %29, label %32, label %30

30:
  %31 = sdiv i64 %2, %26
  br label %32

32:
  %33 = phi i64 [ %31, %30 ], [ 0, %24 ]
  %34 = getelementptr inbounds nuw i8, ptr %0, i64 56
  %35 = load i64, ptr %34, align 8
  %36 = getelementptr inbounds ptr, ptr %3, i64 %35
  %37 = load ptr, ptr %36, align 8
  %38 = getelementptr inbounds nuw i8, ptr %0, i64 112
  %39 = load i64, ptr %38, align 8
  %40 = mul i64 %39, %1
  %41 = getelementptr inbounds float, ptr %37, i64 %40
  %42 = getelementptr inbounds nuw i8, ptr %0, i64 120
  %43 = load i64, ptr %42, align 8
  %44 = mul i64 %43, %33
  %45 = getelementptr inbounds float, ptr %41, i64 %44
  %46 = getelementptr inbounds nuw i8, ptr %0, i64 64
  %47 = load i64, ptr %46, align 8
  %48 = getelementptr inbounds ptr, ptr %3, i64 %47
  %49 = load ptr, ptr %48, align 8
  %50 = getelementptr inbounds nuw i8, ptr %0, i64 160
  %51 = load i64, ptr %50, align 8
  %52 = mul i64 %51, %1
  %53 = getelementptr inbounds float, ptr %49, i64 %52
  %54 = getelementptr inbounds nuw i8, ptr %0, i64 168
  %55 = load i64, ptr %54, align 8
  %56 = mul i64 %55, %33
  %57 = getelementptr inbounds float, ptr %53, i64 %56
  %58 = mul i64 %33, %26
  %59 = sub i64 %2, %58
  br i1 %11, label %60, label %1921

60:
  %61 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %62 = load i64, ptr %61, align 8
  %63 = shl i64 %62, 3
  %64 = mul i64 %63, %59
  %65 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %66 = load i64, ptr %65, align 8
  %67 = sub i64 %66, %64
  %68 = tail call i64 @llvm.smin.i64(i64 %63, i64 %67)
  %69 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %70 = load i64, ptr %69, align 8
  %71 = icmp sgt i64 %63, 0
  br i1 %71, label %72, label %87

72:
  %73 = sdiv i64 %64, %70
  %74 = mul i64 %73, %70
  %75 = srem i64 %64, %70
  %76 = getelementptr inbounds nuw i8, ptr %0, i64 128
  %77 = load i64, ptr %76, align 8
  %78 = getelementptr inbounds nuw i8, ptr %0, i64 136
  %79 = load i64, ptr %78, align 8
  %80 = getelementptr inbounds nuw i8, ptr %0, i64 176
  %81 = load i64, ptr %80, align 8
  %82 = getelementptr inbounds nuw i8, ptr %0, i64 184
  %83 = load i64, ptr %82, align 8
  %84 = add i64 %68, -1
  br label %379

85:
  %86 = load i64, ptr %8, align 16
  br label %87

87:
  %88 = phi i64 [ %86, %85 ], [ undef, %60 ]
  %89 = getelementptr inbounds nuw i8, ptr %0, i64 72
  %90 = load i64, ptr %89, align 8
  %91 = getelementptr inbounds nuw i8, ptr %0, i64 48
  %92 = load i64, ptr %91, align 8
  %93 = getelementptr inbounds nuw i8, ptr %0, i64 144
  %94 = load i64, ptr %93, align 8
  %95 = getelementptr inbounds nuw i8, ptr %0, i64 152
  %96 = load i64, ptr %95, align 8
  %97 = getelementptr inbounds nuw i8, ptr %0, i64 96
  %98 = load i64, ptr %97, align 8
  %99 = icmp eq i64 %98, 0
  %100 = add i64 %63, -1
  %101 = getelementptr inbounds i64, ptr %8, i64 %100
  %102 = load i64, ptr %101, align 8
  %103 = sub i64 %102, %88
  %104 = icmp sle i64 %63, %67
  %105 = icmp eq i64 %96, 1
  %106 = select i1 %104, i1 %105, i1 false
  br i1 %106, label %107, label %143

107:
  %108 = getelementptr inbounds nuw i8, ptr %0, i64 136
  %109 = load i64, ptr %108, align 8
  %110 = icmp eq i64 %109, 2
  %111 = shl i64 %100, 1
  %112 = icmp eq i64 %103, %111
  %113 = select i1 %110, i1 %112, i1 false
  br i1 %113, label %114, label %179

114:
  %115 = icmp sgt i64 %90, 0
  br i1 %115, label %116, label %367

116:
  %117 = getelementptr inbounds float, ptr %45, i64 %88
  %118 = icmp sgt i64 %62, 0
  br label %119

119:
  %120 = phi ptr [ %117, %116 ], [ %125, %123 ]
  %121 = phi i64 [ 0, %116 ], [ %124, %123 ]
  %122 = getelementptr %struct.Complex_f32, ptr %4, i64 %121
  br i1 %118, label %127, label %123

123:
  %124 = add nuw nsw i64 %121, 1
  %125 = getelementptr inbounds float, ptr %120, i64 %94
  %126 = icmp eq i64 %124, %90
  br i1 %126, label %367, label %119

127:
  %128 = phi i64 [ %141, %127 ], [ 0, %119 ]
  %129 = mul i64 %128, %92
  %130 = getelementptr %struct.Complex_f32, ptr %122, i64 %129
  %131 = shl i64 %128, 6
  %132 = getelementptr inbounds i8, ptr %120, i64 %131
  %133 = load <8 x float>, ptr %132, align 4
  %134 = getelementptr inbounds nuw i8, ptr %132, i64 32
  %135 = load <8 x float>, ptr %134, align 4
  %136 = shufflevector <8 x float> %133, <8 x float> %135, <8 x i32> <i32 0, i32 2, i32 4, i32 6, i32 8, i32 10, i32 12, i32 14>
  %137 = shufflevector <8 x float> %133, <8 x float> %135, <8 x i32> <i32 1, i32 3, i32 5, i32 7, i32 9, i32 11, i32 13, i32 15>
  %138 = select i1 %99, <8 x float> %136, <8 x float> %137
  %139 = select i1 %99, <8 x float> %137, <8 x float> %136
  store <8 x float> %138, ptr %130, align 32
  %140 = getelementptr inbounds nuw i8, ptr %130, i64 32
  store <8 x float> %139, ptr %140, align 32
  %141 = add nuw nsw i64 %128, 1
  %142 = icmp eq i64 %141, %62
  br i1 %142, label %123, label %127

143:
  %144 = icmp ne i64 %96, 1
  %145 = select i1 %104, i1 %144, i1 false
  br i1 %145, label %146, label %179

146:
  %147 = getelementptr inbounds nuw i8, ptr %0, i64 136
  %148 = load i64, ptr %147, align 8
  %149 = icmp eq i64 %148, 1
  %150 = icmp eq i64 %103, %100
  %151 = select i1 %149, i1 %150, i1 false
  br i1 %151, label %152, label %179

152:
  %153 = icmp sgt i64 %90, 0
  br i1 %153, label %154, label %367

154:
  %155 = getelementptr inbounds float, ptr %45, i64 %88
  %156 = icmp sgt i64 %62, 0
  br label %157

157:
  %158 = phi ptr [ %155, %154 ], [ %163, %161 ]
  %159 = phi i64 [ 0, %154 ], [ %162, %161 ]
  %160 = getelementptr %struct.Complex_f32, ptr %4, i64 %159
  br i1 %156, label %165, label %161

161:
  %162 = add nuw nsw i64 %159, 1
  %163 = getelementptr inbounds float, ptr %158, i64 %94
  %164 = icmp eq i64 %162, %90
  br i1 %164, label %367, label %157

165:
  %166 = phi i64 [ %177, %165 ], [ 0, %157 ]
  %167 = shl i64 %166, 5
  %168 = getelementptr inbounds i8, ptr %158, i64 %167
  %169 = mul i64 %166, %92
  %170 = getelementptr %struct.Complex_f32, ptr %160, i64 %169
  %171 = load <8 x float>, ptr %168, align 4
  %172 = getelementptr inbounds float, ptr %168, i64 %96
  %173 = load <8 x float>, ptr %172, align 4
  %174 = select i1 %99, <8 x float> %171, <8 x float> %173
  %175 = select i1 %99, <8 x float> %173, <8 x float> %171
  store <8 x float> %174, ptr %170, align 32
  %176 = getelementptr inbounds nuw i8, ptr %170, i64 32
  store <8 x float> %175, ptr %176, align 32
  %177 = add nuw nsw i64 %166, 1
  %178 = icmp eq i64 %177, %62
  br i1 %178, label %161, label %165

179:
  %180 = icmp sgt i64 %68, 0
  br i1 %180, label %181, label %403

181:
  %182 = icmp ne i64 %94, 2
  %183 = xor i1 %105, true
  %184 = select i1 %183, i1 true, i1 %182
  %185 = icmp slt i64 %90, 4
  %186 = select i1 %184, i1 true, i1 %185
  %187 = select i1 %99, i64 0, i64 8
  %188 = select i1 %99, i64 8, i64 0
  %189 = select i1 %99, i64 1, i64 9
  %190 = select i1 %99, i64 9, i64 1
  %191 = select i1 %99, i64 2, i64 10
  %192 = select i1 %99, i64 10, i64 2
  %193 = select i1 %99, i64 3, i64 11
  %194 = select i1 %99, i64 11, i64 3
  %195 = select i1 %99, i64 4, i64 12
  %196 = select i1 %99, i64 12, i64 4
  %197 = select i1 %99, i64 5, i64 13
  %198 = select i1 %99, i64 13, i64 5
  %199 = select i1 %99, i64 6, i64 14
  %200 = select i1 %99, i64 14, i64 6
  %201 = select i1 %99, i64 7, i64 15
  %202 = select i1 %99, i64 15, i64 7
  %203 = add nsw i64 %68, -1
  %204 = lshr i64 %203, 3
  br label %205

205:
  %206 = phi ptr [ %8, %181 ], [ %364, %362 ]
  %207 = phi i64 [ 0, %181 ], [ %363, %362 ]
  %208 = phi ptr [ %4, %181 ], [ %365, %362 ]
  br i1 %186, label %288, label %209

209:
  %210 = getelementptr inbounds nuw i8, ptr %206, i64 32
  %211 = getelementptr inbounds nuw i8, ptr %206, i64 40
  %212 = getelementptr inbounds nuw i8, ptr %206, i64 48
  %213 = getelementptr inbounds nuw i8, ptr %206, i64 56
  %214 = getelementptr inbounds nuw i8, ptr %206, i64 16
  %215 = getelementptr inbounds nuw i8, ptr %206, i64 24
  %216 = getelementptr inbounds nuw i8, ptr %206, i64 8
  %217 = load i64, ptr %210, align 8
  %218 = load i64, ptr %211, align 8
  %219 = load i64, ptr %212, align 8
  %220 = load i64, ptr %213, align 8
  %221 = load i64, ptr %214, align 8
  %222 = load i64, ptr %215, align 8
  %223 = load i64, ptr %216, align 8
  %224 = load i64, ptr %206, align 8
  br label %225

225:
  %226 = phi i64 [ %286, %225 ], [ 4, %209 ]
  %227 = phi i64 [ %226, %225 ], [ 0, %209 ]
  %228 = shl i64 %227, 3
  %229 = getelementptr i8, ptr %45, i64 %228
  %230 = getelementptr float, ptr %229, i64 %217
  %231 = load <8 x float>, ptr %230, align 4
  %232 = getelementptr float, ptr %229, i64 %218
  %233 = load <8 x float>, ptr %232, align 4
  %234 = getelementptr float, ptr %229, i64 %219
  %235 = load <8 x float>, ptr %234, align 4
  %236 = getelementptr float, ptr %229, i64 %220
  %237 = load <8 x float>, ptr %236, align 4
  %238 = shufflevector <8 x float> %231, <8 x float> %233, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
  %239 = shufflevector <8 x float> %231, <8 x float> %233, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
  %240 = shufflevector <8 x float> %235, <8 x float> %237, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
  %241 = shufflevector <8 x float> %235, <8 x float> %237, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
  %242 = getelementptr float, ptr %229, i64 %221
  %243 = load <8 x float>, ptr %242, align 4
  %244 = getelementptr float, ptr %229, i64 %222
  %245 = load <8 x float>, ptr %244, align 4
  %246 = shufflevector <8 x float> %243, <8 x float> %245, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
  %247 = shufflevector <8 x float> %243, <8 x float> %245, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
  %248 = getelementptr float, ptr %229, i64 %224
  %249 = load <8 x float>, ptr %248, align 4
  %250 = getelementptr float, ptr %229, i64 %223
  %251 = load <8 x float>, ptr %250, align 4
  %252 = shufflevector <8 x float> %249, <8 x float> %251, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
  %253 = shufflevector <8 x float> %249, <8 x float> %251, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
  %254 = shufflevector <8 x float> %253, <8 x float> %247, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
  %255 = shufflevector <8 x float> %253, <8 x float> %247, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
  %256 = shufflevector <8 x float> %252, <8 x float> %246, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
  %257 = shufflevector <8 x float> %252, <8 x float> %246, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
  %258 = shufflevector <8 x float> %239, <8 x float> %241, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
  %259 = shufflevector <8 x float> %239, <8 x float> %241, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
  %260 = shufflevector <8 x float> %238, <8 x float> %240, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
  %261 = shufflevector <8 x float> %238, <8 x float> %240, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
  %262 = shufflevector <8 x float> %254, <8 x float> %261, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
  %263 = shufflevector <8 x float> %254, <8 x float> %261, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
  %264 = shufflevector <8 x float> %256, <8 x float> %259, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
  %265 = shufflevector <8 x float> %256, <8 x float> %259, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
  %266 = shufflevector <8 x float> %255, <8 x float> %260, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
  %267 = shufflevector <8 x float> %255, <8 x float> %260, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
  %268 = shufflevector <8 x float> %257, <8 x float> %258, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
  %269 = shufflevector <8 x float> %257, <8 x float> %258, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
  %270 = getelementptr %struct.Complex_f32, ptr %208, i64 %227
  %271 = select i1 %99, <8 x float> %264, <8 x float> %262
  %272 = select i1 %99, <8 x float> %262, <8 x float> %264
  store <8 x float> %272, ptr %270, align 32
  %273 = getelementptr inbounds nuw i8, ptr %270, i64 32
  store <8 x float> %271, ptr %273, align 32
  %274 = getelementptr i8, ptr %270, i64 64
  %275 = select i1 %99, <8 x float> %268, <8 x float> %266
  %276 = select i1 %99, <8 x float> %266, <8 x float> %268
  store <8 x float> %276, ptr %274, align 32
  %277 = getelementptr i8, ptr %270, i64 96
  store <8 x float> %275, ptr %277, align 32
  %278 = getelementptr i8, ptr %270, i64 128
  %279 = select i1 %99, <8 x float> %265, <8 x float> %263
  %280 = select i1 %99, <8 x float> %263, <8 x float> %265
  store <8 x float> %280, ptr %278, align 32
  %281 = getelementptr i8, ptr %270, i64 160
  store <8 x float> %279, ptr %281, align 32
  %282 = getelementptr i8, ptr %270, i64 192
  %283 = select i1 %99, <8 x float> %269, <8 x float> %267
  %284 = select i1 %99, <8 x float> %267, <8 x float> %269
  store <8 x float> %284, ptr %282, align 32
  %285 = getelementptr i8, ptr %270, i64 224
  store <8 x float> %283, ptr %285, align 32
  %286 = add i64 %226, 4
  %287 = icmp sgt i64 %286, %90
  br i1 %287, label %288, label %225

288:
  %289 = phi i64 [ 0, %205 ], [ %226, %225 ]
  %290 = icmp slt i64 %289, %90
  br i1 %290, label %291, label %362

291:
  %292 = getelementptr inbounds nuw i8, ptr %206, i64 8
  %293 = getelementptr inbounds nuw i8, ptr %206, i64 16
  %294 = getelementptr inbounds nuw i8, ptr %206, i64 24
  %295 = getelementptr inbounds nuw i8, ptr %206, i64 32
  %296 = getelementptr inbounds nuw i8, ptr %206, i64 40
  %297 = getelementptr inbounds nuw i8, ptr %206, i64 48
  %298 = getelementptr inbounds nuw i8, ptr %206, i64 56
  %299 = load i64, ptr %292, align 8
  %300 = load i64, ptr %293, align 8
  %301 = load i64, ptr %294, align 8
  %302 = load i64, ptr %295, align 8
  %303 = load i64, ptr %296, align 8
  %304 = load i64, ptr %297, align 8
  %305 = load i64, ptr %298, align 8
  %306 = load i64, ptr %206, align 8
  br label %307

307:
  %308 = phi i64 [ %360, %307 ], [ %289, %291 ]
  %309 = getelementptr inbounds %struct.Complex_f32, ptr %208, i64 %308
  %310 = mul i64 %308, %94
  %311 = getelementptr float, ptr %45, i64 %310
  %312 = getelementptr float, ptr %311, i64 %306
  %313 = load float, ptr %312, align 4
  %314 = getelementptr inbounds nuw float, ptr %309, i64 %187
  store float %313, ptr %314, align 4
  %315 = getelementptr inbounds float, ptr %312, i64 %96
  %316 = load float, ptr %315, align 4
  %317 = getelementptr inbounds nuw float, ptr %309, i64 %188
  store float %316, ptr %317, align 4
  %318 = getelementptr float, ptr %311, i64 %299
  %319 = load float, ptr %318, align 4
  %320 = getelementptr inbounds nuw float, ptr %309, i64 %189
  store float %319, ptr %320, align 4
  %321 = getelementptr inbounds float, ptr %318, i64 %96
  %322 = load float, ptr %321, align 4
  %323 = getelementptr inbounds nuw float, ptr %309, i64 %190
  store float %322, ptr %323, align 4
  %324 = getelementptr float, ptr %311, i64 %300
  %325 = load float, ptr %324, align 4
  %326 = getelementptr inbounds nuw float, ptr %309, i64 %191
  store float %325, ptr %326, align 4
  %327 = getelementptr inbounds float, ptr %324, i64 %96
  %328 = load float, ptr %327, align 4
  %329 = getelementptr inbounds nuw float, ptr %309, i64 %192
  store float %328, ptr %329, align 4
  %330 = getelementptr float, ptr %311, i64 %301
  %331 = load float, ptr %330, align 4
  %332 = getelementptr inbounds nuw float, ptr %309, i64 %193
  store float %331, ptr %332, align 4
  %333 = getelementptr inbounds float, ptr %330, i64 %96
  %334 = load float, ptr %333, align 4
  %335 = getelementptr inbounds nuw float, ptr %309, i64 %194
  store float %334, ptr %335, align 4
  %336 = getelementptr float, ptr %311, i64 %302
  %337 = load float, ptr %336, align 4
  %338 = getelementptr inbounds nuw float, ptr %309, i64 %195
  store float %337, ptr %338, align 4
  %339 = getelementptr inbounds float, ptr %336, i64 %96
  %340 = load float, ptr %339, align 4
  %341 = getelementptr inbounds nuw float, ptr %309, i64 %196
  store float %340, ptr %341, align 4
  %342 = getelementptr float, ptr %311, i64 %303
  %343 = load float, ptr %342, align 4
  %344 = getelementptr inbounds nuw float, ptr %309, i64 %197
  store float %343, ptr %344, align 4
  %345 = getelementptr inbounds float, ptr %342, i64 %96
  %346 = load float, ptr %345, align 4
  %347 = getelementptr inbounds nuw float, ptr %309, i64 %198
  store float %346, ptr %347, align 4
  %348 = getelementptr float, ptr %311, i64 %304
  %349 = load float, ptr %348, align 4
  %350 = getelementptr inbounds nuw float, ptr %309, i64 %199
  store float %349, ptr %350, align 4
  %351 = getelementptr inbounds float, ptr %348, i64 %96
  %352 = load float, ptr %351, align 4
  %353 = getelementptr inbounds nuw float, ptr %309, i64 %200
  store float %352, ptr %353, align 4
  %354 = getelementptr float, ptr %311, i64 %305
  %355 = load float, ptr %354, align 4
  %356 = getelementptr inbounds nuw float, ptr %309, i64 %201
  store float %355, ptr %356, align 4
  %357 = getelementptr inbounds float, ptr %354, i64 %96
  %358 = load float, ptr %357, align 4
  %359 = getelementptr inbounds nuw float, ptr %309, i64 %202
  store float %358, ptr %359, align 4
  %360 = add nsw i64 %308, 1
  %361 = icmp eq i64 %360, %90
  br i1 %361, label %362, label %307

362:
  %363 = add nuw nsw i64 %207, 1
  %364 = getelementptr inbounds nuw i8, ptr %206, i64 64
  %365 = getelementptr inbounds %struct.Complex_f32, ptr %208, i64 %92
  %366 = icmp eq i64 %207, %204
  br i1 %366, label %367, label %205

367:
  %368 = icmp sgt i64 %68, 0
  br i1 %368, label %369, label %403

369:
  %370 = getelementptr inbounds nuw i8, ptr %0, i64 88
  %371 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %372 = getelementptr inbounds nuw i8, ptr %0, i64 232
  %373 = getelementptr inbounds nuw i8, ptr %0, i64 256
  %374 = getelementptr inbounds nuw i8, ptr %0, i64 216
  %375 = getelementptr inbounds nuw i8, ptr %0, i64 264
  %376 = getelementptr inbounds nuw i8, ptr %0, i64 224
  %377 = add nsw i64 %68, -1
  %378 = lshr i64 %377, 3
  br label %807

379:
  %380 = phi i64 [ %73, %72 ], [ %400, %398 ]
  %381 = phi i64 [ 0, %72 ], [ %401, %398 ]
  %382 = phi i64 [ %75, %72 ], [ %399, %398 ]
  %383 = mul i64 %380, %77
  %384 = mul i64 %382, %79
  %385 = add i64 %384, %383
  %386 = getelementptr inbounds nuw i64, ptr %8, i64 %381
  store i64 %385, ptr %386, align 8
  %387 = mul i64 %380, %81
  %388 = mul i64 %382, %83
  %389 = add i64 %388, %387
  %390 = getelementptr inbounds nuw i64, ptr %9, i64 %381
  store i64 %389, ptr %390, align 8
  %391 = icmp slt i64 %381, %84
  br i1 %391, label %392, label %398

392:
  %393 = add i64 %382, 1
  %394 = icmp eq i64 %393, %70
  %395 = select i1 %394, i64 0, i64 %393
  %396 = zext i1 %394 to i64
  %397 = add i64 %380, %396
  br label %398

398:
  %399 = phi i64 [ %382, %379 ], [ %395, %392 ]
  %400 = phi i64 [ %380, %379 ], [ %397, %392 ]
  %401 = add nuw nsw i64 %381, 1
  %402 = icmp eq i64 %401, %63
  br i1 %402, label %85, label %379

403:
  %404 = phi i1 [ false, %179 ], [ false, %367 ], [ true, %1917 ]
  %405 = load i64, ptr %61, align 8
  %406 = getelementptr inbounds nuw i8, ptr %0, i64 80
  %407 = load i64, ptr %406, align 8
  %408 = load i64, ptr %91, align 8
  %409 = getelementptr inbounds nuw i8, ptr %0, i64 192
  %410 = load i64, ptr %409, align 8
  %411 = getelementptr inbounds nuw i8, ptr %0, i64 200
  %412 = load i64, ptr %411, align 8
  %413 = shl i64 %405, 3
  %414 = getelementptr inbounds nuw i8, ptr %0, i64 224
  %415 = load ptr, ptr %414, align 8
  %416 = getelementptr inbounds nuw i8, ptr %0, i64 104
  %417 = load i64, ptr %416, align 8
  %418 = icmp eq i64 %417, 0
  %419 = getelementptr inbounds nuw i8, ptr %0, i64 208
  %420 = load double, ptr %419, align 8
  %421 = fptrunc double %420 to float
  %422 = add i64 %413, -1
  %423 = getelementptr inbounds i64, ptr %9, i64 %422
  %424 = load i64, ptr %423, align 8
  %425 = load i64, ptr %9, align 16
  %426 = sub i64 %424, %425
  %427 = getelementptr inbounds nuw i8, ptr %0, i64 240
  %428 = load ptr, ptr %427, align 8
  %429 = getelementptr inbounds nuw i8, ptr %0, i64 248
  %430 = load ptr, ptr %429, align 8
  %431 = shl i64 %59, 1
  %432 = mul i64 %431, %405
  %433 = mul i64 %432, %407
  %434 = getelementptr inbounds float, ptr %430, i64 %433
  %435 = icmp ne ptr %428, null
  %436 = icmp eq i64 %68, %413
  %437 = and i1 %436, %435
  br i1 %437, label %438, label %499

438:
  %439 = icmp sgt i64 %407, 0
  br i1 %439, label %440, label %1920

440:
  %441 = getelementptr inbounds float, ptr %57, i64 %425
  %442 = icmp sgt i64 %405, 0
  br label %443

443:
  %444 = phi ptr [ %441, %440 ], [ %453, %451 ]
  %445 = phi i64 [ 0, %440 ], [ %452, %451 ]
  br i1 %442, label %446, label %451

446:
  %447 = getelementptr inbounds nuw i32, ptr %415, i64 %445
  %448 = shl i64 %445, 6
  %449 = getelementptr inbounds i8, ptr %428, i64 %448
  %450 = getelementptr inbounds nuw i8, ptr %449, i64 32
  br label %455

451:
  %452 = add nuw nsw i64 %445, 1
  %453 = getelementptr inbounds float, ptr %444, i64 %410
  %454 = icmp eq i64 %452, %407
  br i1 %454, label %1920, label %443

455:
  %456 = phi i64 [ 0, %446 ], [ %497, %455 ]
  %457 = mul i64 %456, %408
  %458 = load i32, ptr %447, align 4
  %459 = sext i32 %458 to i64
  %460 = getelementptr %struct.Complex_f32, ptr %4, i64 %457
  %461 = getelementptr %struct.Complex_f32, ptr %460, i64 %459
  %462 = mul i64 %456, %407
  %463 = add i64 %462, %445
  %464 = shl i64 %463, 3
  %465 = getelementptr inbounds i8, ptr %434, i64 %464
  %466 = load <8 x float>, ptr %461, align 32
  %467 = getelementptr inbounds nuw i8, ptr %461, i64 32
  %468 = load <8 x float>, ptr %467, align 32
  %469 = load <8 x float>, ptr %449, align 4
  %470 = load <8 x float>, ptr %450, align 4
  %471 = load float, ptr %465, align 4
  %472 = insertelement <8 x float> poison, float %471, i64 0
  %473 = shufflevector <8 x float> %472, <8 x float> poison, <8 x i32> zeroinitializer
  %474 = getelementptr inbounds nuw i8, ptr %465, i64 4
  %475 = load float, ptr %474, align 4
  %476 = insertelement <8 x float> poison, float %475, i64 0
  %477 = fneg float %475
  %478 = insertelement <8 x float> poison, float %477, i64 0
  %479 = shufflevector <8 x float> %478, <8 x float> poison, <8 x i32> zeroinitializer
  %480 = fmul <8 x float> %470, %479
  %481 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %469, <8 x float> %473, <8 x float> %480)
  %482 = shufflevector <8 x float> %476, <8 x float> poison, <8 x i32> zeroinitializer
  %483 = fmul <8 x float> %469, %482
  %484 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %470, <8 x float> %473, <8 x float> %483)
  %485 = fneg <8 x float> %484
  %486 = fmul <8 x float> %468, %485
  %487 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %466, <8 x float> %481, <8 x float> %486)
  %488 = fmul <8 x float> %466, %484
  %489 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %468, <8 x float> %481, <8 x float> %488)
  %490 = shl i64 %456, 6
  %491 = getelementptr inbounds i8, ptr %444, i64 %490
  %492 = select i1 %418, <8 x float> %487, <8 x float> %489
  %493 = select i1 %418, <8 x float> %489, <8 x float> %487
  %494 = shufflevector <8 x float> %492, <8 x float> %493, <8 x i32> <i32 0, i32 8, i32 1, i32 9, i32 2, i32 10, i32 3, i32 11>
  store <8 x float> %494, ptr %491, align 4
  %495 = shufflevector <8 x float> %492, <8 x float> %493, <8 x i32> <i32 4, i32 12, i32 5, i32 13, i32 6, i32 14, i32 7, i32 15>
  %496 = getelementptr inbounds nuw i8, ptr %491, i64 32
  store <8 x float> %495, ptr %496, align 4
  %497 = add nuw nsw i64 %456, 1
  %498 = icmp eq i64 %497, %405
  br i1 %498, label %451, label %455

499:
  %500 = and i1 %404, %435
  br i1 %500, label %501, label %552

501:
  %502 = icmp sgt i64 %407, 0
  %503 = add nsw i64 %68, -1
  %504 = lshr i64 %503, 3
  br label %505

505:
  %506 = phi i64 [ 0, %501 ], [ %512, %511 ]
  br i1 %502, label %507, label %511

507:
  %508 = mul i64 %506, %408
  %509 = getelementptr inbounds %struct.Complex_f32, ptr %4, i64 %508
  %510 = mul i64 %506, %407
  br label %514

511:
  %512 = add nuw nsw i64 %506, 1
  %513 = icmp eq i64 %506, %504
  br i1 %513, label %552, label %505

514:
  %515 = phi i64 [ 0, %507 ], [ %550, %514 ]
  %516 = getelementptr inbounds nuw i32, ptr %415, i64 %515
  %517 = load i32, ptr %516, align 4
  %518 = sext i32 %517 to i64
  %519 = getelementptr inbounds %struct.Complex_f32, ptr %509, i64 %518
  %520 = shl i64 %515, 6
  %521 = getelementptr inbounds i8, ptr %428, i64 %520
  %522 = add i64 %515, %510
  %523 = shl i64 %522, 3
  %524 = getelementptr inbounds i8, ptr %434, i64 %523
  %525 = load <8 x float>, ptr %519, align 32
  %526 = getelementptr inbounds nuw i8, ptr %519, i64 32
  %527 = load <8 x float>, ptr %526, align 32
  %528 = load <8 x float>, ptr %521, align 4
  %529 = getelementptr inbounds nuw i8, ptr %521, i64 32
  %530 = load <8 x float>, ptr %529, align 4
  %531 = load float, ptr %524, align 4
  %532 = insertelement <8 x float> poison, float %531, i64 0
  %533 = shufflevector <8 x float> %532, <8 x float> poison, <8 x i32> zeroinitializer
  %534 = getelementptr inbounds nuw i8, ptr %524, i64 4
  %535 = load float, ptr %534, align 4
  %536 = insertelement <8 x float> poison, float %535, i64 0
  %537 = fneg float %535
  %538 = insertelement <8 x float> poison, float %537, i64 0
  %539 = shufflevector <8 x float> %538, <8 x float> poison, <8 x i32> zeroinitializer
  %540 = fmul <8 x float> %530, %539
  %541 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %528, <8 x float> %533, <8 x float> %540)
  %542 = shufflevector <8 x float> %536, <8 x float> poison, <8 x i32> zeroinitializer
  %543 = fmul <8 x float> %528, %542
  %544 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %530, <8 x float> %533, <8 x float> %543)
  %545 = fneg <8 x float> %544
  %546 = fmul <8 x float> %527, %545
  %547 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %525, <8 x float> %541, <8 x float> %546)
  %548 = fmul <8 x float> %525, %544
  %549 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %527, <8 x float> %541, <8 x float> %548)
  store <8 x float> %547, ptr %519, align 32
  store <8 x float> %549, ptr %526, align 32
  %550 = add nuw nsw i64 %515, 1
  %551 = icmp eq i64 %550, %407
  br i1 %551, label %511, label %514

552:
  %553 = icmp eq i64 %412, 1
  %554 = select i1 %436, i1 %553, i1 false
  br i1 %554, label %555, label %599

555:
  %556 = getelementptr inbounds nuw i8, ptr %0, i64 184
  %557 = load i64, ptr %556, align 8
  %558 = icmp eq i64 %557, 2
  %559 = shl i64 %422, 1
  %560 = icmp eq i64 %426, %559
  %561 = select i1 %558, i1 %560, i1 false
  br i1 %561, label %562, label %643

562:
  %563 = icmp sgt i64 %407, 0
  br i1 %563, label %564, label %1920

564:
  %565 = getelementptr inbounds float, ptr %57, i64 %425
  %566 = icmp sgt i64 %405, 0
  %567 = insertelement <8 x float> poison, float %421, i64 0
  %568 = shufflevector <8 x float> %567, <8 x float> poison, <8 x i32> zeroinitializer
  br label %569

569:
  %570 = phi ptr [ %565, %564 ], [ %576, %574 ]
  %571 = phi i64 [ 0, %564 ], [ %575, %574 ]
  br i1 %566, label %572, label %574

572:
  %573 = getelementptr inbounds nuw i32, ptr %415, i64 %571
  br label %578

574:
  %575 = add nuw nsw i64 %571, 1
  %576 = getelementptr inbounds float, ptr %570, i64 %410
  %577 = icmp eq i64 %575, %407
  br i1 %577, label %1920, label %569

578:
  %579 = phi i64 [ 0, %572 ], [ %597, %578 ]
  %580 = shl i64 %579, 6
  %581 = getelementptr inbounds i8, ptr %570, i64 %580
  %582 = mul i64 %579, %408
  %583 = load i32, ptr %573, align 4
  %584 = sext i32 %583 to i64
  %585 = getelementptr %struct.Complex_f32, ptr %4, i64 %582
  %586 = getelementptr %struct.Complex_f32, ptr %585, i64 %584
  %587 = load <8 x float>, ptr %586, align 32
  %588 = getelementptr inbounds nuw i8, ptr %586, i64 32
  %589 = load <8 x float>, ptr %588, align 32
  %590 = fmul <8 x float> %568, %587
  %591 = fmul <8 x float> %568, %589
  %592 = select i1 %418, <8 x float> %590, <8 x float> %591
  %593 = select i1 %418, <8 x float> %591, <8 x float> %590
  %594 = shufflevector <8 x float> %592, <8 x float> %593, <8 x i32> <i32 0, i32 8, i32 1, i32 9, i32 2, i32 10, i32 3, i32 11>
  store <8 x float> %594, ptr %581, align 4
  %595 = shufflevector <8 x float> %592, <8 x float> %593, <8 x i32> <i32 4, i32 12, i32 5, i32 13, i32 6, i32 14, i32 7, i32 15>
  %596 = getelementptr inbounds nuw i8, ptr %581, i64 32
  store <8 x float> %595, ptr %596, align 4
  %597 = add nuw nsw i64 %579, 1
  %598 = icmp eq i64 %597, %405
  br i1 %598, label %574, label %578

599:
  %600 = icmp ne i64 %412, 1
  %601 = select i1 %436, i1 %600, i1 false
  br i1 %601, label %602, label %643

602:
  %603 = getelementptr inbounds nuw i8, ptr %0, i64 184
  %604 = load i64, ptr %603, align 8
  %605 = icmp eq i64 %604, 1
  %606 = icmp eq i64 %426, %422
  %607 = select i1 %605, i1 %606, i1 false
  br i1 %607, label %608, label %643

608:
  %609 = icmp sgt i64 %407, 0
  br i1 %609, label %610, label %1920

610:
  %611 = getelementptr inbounds float, ptr %57, i64 %425
  %612 = icmp sgt i64 %405, 0
  %613 = insertelement <8 x float> poison, float %421, i64 0
  %614 = shufflevector <8 x float> %613, <8 x float> poison, <8 x i32> zeroinitializer
  br label %615

615:
  %616 = phi ptr [ %611, %610 ], [ %622, %620 ]
  %617 = phi i64 [ 0, %610 ], [ %621, %620 ]
  br i1 %612, label %618, label %620

618:
  %619 = getelementptr inbounds nuw i32, ptr %415, i64 %617
  br label %624

620:
  %621 = add nuw nsw i64 %617, 1
  %622 = getelementptr inbounds float, ptr %616, i64 %410
  %623 = icmp eq i64 %621, %407
  br i1 %623, label %1920, label %615

624:
  %625 = phi i64 [ 0, %618 ], [ %641, %624 ]
  %626 = mul i64 %625, %408
  %627 = load i32, ptr %619, align 4
  %628 = sext i32 %627 to i64
  %629 = getelementptr %struct.Complex_f32, ptr %4, i64 %626
  %630 = getelementptr %struct.Complex_f32, ptr %629, i64 %628
  %631 = load <8 x float>, ptr %630, align 32
  %632 = getelementptr inbounds nuw i8, ptr %630, i64 32
  %633 = load <8 x float>, ptr %632, align 32
  %634 = fmul <8 x float> %614, %631
  %635 = fmul <8 x float> %614, %633
  %636 = select i1 %418, <8 x float> %634, <8 x float> %635
  %637 = select i1 %418, <8 x float> %635, <8 x float> %634
  %638 = shl i64 %625, 5
  %639 = getelementptr inbounds i8, ptr %616, i64 %638
  store <8 x float> %636, ptr %639, align 4
  %640 = getelementptr inbounds float, ptr %639, i64 %412
  store <8 x float> %637, ptr %640, align 4
  %641 = add nuw nsw i64 %625, 1
  %642 = icmp eq i64 %641, %405
  br i1 %642, label %620, label %624

643:
  br i1 %404, label %644, label %1920

644:
  %645 = icmp ne i64 %410, 2
  %646 = xor i1 %553, true
  %647 = select i1 %646, i1 true, i1 %645
  %648 = icmp slt i64 %407, 4
  %649 = insertelement <8 x float> poison, float %421, i64 0
  %650 = shufflevector <8 x float> %649, <8 x float> poison, <8 x i32> zeroinitializer
  %651 = select i1 %647, i1 true, i1 %648
  br label %652

652:
  %653 = phi ptr [ %9, %644 ], [ %804, %802 ]
  %654 = phi i64 [ %68, %644 ], [ %803, %802 ]
  %655 = phi ptr [ %4, %644 ], [ %805, %802 ]
  %656 = tail call i64 @llvm.umin.i64(i64 %654, i64 8)
  br i1 %651, label %771, label %657

657:
  %658 = icmp samesign ugt i64 %654, 1
  %659 = getelementptr inbounds nuw i8, ptr %653, i64 8
  %660 = icmp samesign ugt i64 %654, 2
  %661 = getelementptr inbounds nuw i8, ptr %653, i64 16
  %662 = icmp samesign ugt i64 %654, 3
  %663 = getelementptr inbounds nuw i8, ptr %653, i64 24
  %664 = icmp samesign ugt i64 %654, 4
  %665 = getelementptr inbounds nuw i8, ptr %653, i64 32
  %666 = icmp samesign ugt i64 %654, 5
  %667 = getelementptr inbounds nuw i8, ptr %653, i64 40
  %668 = icmp samesign ugt i64 %654, 6
  %669 = getelementptr inbounds nuw i8, ptr %653, i64 48
  %670 = icmp samesign ugt i64 %654, 7
  %671 = getelementptr inbounds nuw i8, ptr %653, i64 56
  %672 = load i64, ptr %653, align 8
  br label %673

673:
  %674 = phi i64 [ %769, %768 ], [ 4, %657 ]
  %675 = phi i64 [ %674, %768 ], [ 0, %657 ]
  %676 = getelementptr i32, ptr %415, i64 %675
  %677 = getelementptr i8, ptr %676, i64 8
  %678 = load i32, ptr %677, align 4
  %679 = sext i32 %678 to i64
  %680 = getelementptr inbounds %struct.Complex_f32, ptr %655, i64 %679
  %681 = load <8 x float>, ptr %680, align 32
  %682 = getelementptr inbounds nuw i8, ptr %680, i64 32
  %683 = load <8 x float>, ptr %682, align 32
  %684 = fmul <8 x float> %650, %681
  %685 = fmul <8 x float> %650, %683
  %686 = select i1 %418, <8 x float> %685, <8 x float> %684
  %687 = select i1 %418, <8 x float> %684, <8 x float> %685
  %688 = getelementptr i8, ptr %676, i64 12
  %689 = load i32, ptr %688, align 4
  %690 = sext i32 %689 to i64
  %691 = getelementptr inbounds %struct.Complex_f32, ptr %655, i64 %690
  %692 = load <8 x float>, ptr %691, align 32
  %693 = getelementptr inbounds nuw i8, ptr %691, i64 32
  %694 = load <8 x float>, ptr %693, align 32
  %695 = fmul <8 x float> %650, %692
  %696 = fmul <8 x float> %650, %694
  %697 = select i1 %418, <8 x float> %696, <8 x float> %695
  %698 = select i1 %418, <8 x float> %695, <8 x float> %696
  %699 = shufflevector <8 x float> %687, <8 x float> %686, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
  %700 = shufflevector <8 x float> %687, <8 x float> %686, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
  %701 = shufflevector <8 x float> %698, <8 x float> %697, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
  %702 = shufflevector <8 x float> %698, <8 x float> %697, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
  %703 = getelementptr i8, ptr %676, i64 4
  %704 = load i32, ptr %703, align 4
  %705 = sext i32 %704 to i64
  %706 = getelementptr inbounds %struct.Complex_f32, ptr %655, i64 %705
  %707 = load <8 x float>, ptr %706, align 32
  %708 = fmul <8 x float> %650, %707
  %709 = getelementptr inbounds nuw i8, ptr %706, i64 32
  %710 = load <8 x float>, ptr %709, align 32
  %711 = fmul <8 x float> %650, %710
  %712 = select i1 %418, <8 x float> %708, <8 x float> %711
  %713 = select i1 %418, <8 x float> %711, <8 x float> %708
  %714 = shufflevector <8 x float> %712, <8 x float> %713, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
  %715 = shufflevector <8 x float> %712, <8 x float> %713, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
  %716 = load i32, ptr %676, align 4
  %717 = sext i32 %716 to i64
  %718 = getelementptr inbounds %struct.Complex_f32, ptr %655, i64 %717
  %719 = load <8 x float>, ptr %718, align 32
  %720 = fmul <8 x float> %650, %719
  %721 = getelementptr inbounds nuw i8, ptr %718, i64 32
  %722 = load <8 x float>, ptr %721, align 32
  %723 = fmul <8 x float> %650, %722
  %724 = select i1 %418, <8 x float> %720, <8 x float> %723
  %725 = select i1 %418, <8 x float> %723, <8 x float> %720
  %726 = shufflevector <8 x float> %724, <8 x float> %725, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
  %727 = shufflevector <8 x float> %724, <8 x float> %725, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
  %728 = shufflevector <8 x float> %727, <8 x float> %715, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
  %729 = shufflevector <8 x float> %727, <8 x float> %715, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
  %730 = shufflevector <8 x float> %726, <8 x float> %714, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
  %731 = shufflevector <8 x float> %726, <8 x float> %714, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
  %732 = shufflevector <8 x float> %700, <8 x float> %702, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
  %733 = shufflevector <8 x float> %700, <8 x float> %702, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
  %734 = shufflevector <8 x float> %699, <8 x float> %701, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
  %735 = shufflevector <8 x float> %699, <8 x float> %701, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
  %736 = shufflevector <8 x float> %728, <8 x float> %735, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
  %737 = shufflevector <8 x float> %730, <8 x float> %733, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
  %738 = shufflevector <8 x float> %729, <8 x float> %734, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
  %739 = shufflevector <8 x float> %729, <8 x float> %734, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
  %740 = shufflevector <8 x float> %731, <8 x float> %732, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
  %741 = shufflevector <8 x float> %731, <8 x float> %732, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
  %742 = shl i64 %675, 3
  %743 = getelementptr i8, ptr %57, i64 %742
  %744 = shufflevector <8 x float> %728, <8 x float> %735, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
  %745 = getelementptr float, ptr %743, i64 %672
  store <8 x float> %744, ptr %745, align 4
  br i1 %658, label %746, label %768

746:
  %747 = shufflevector <8 x float> %730, <8 x float> %733, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
  %748 = load i64, ptr %659, align 8
  %749 = getelementptr float, ptr %743, i64 %748
  store <8 x float> %747, ptr %749, align 4
  br i1 %660, label %750, label %768

750:
  %751 = load i64, ptr %661, align 8
  %752 = getelementptr float, ptr %743, i64 %751
  store <8 x float> %738, ptr %752, align 4
  br i1 %662, label %753, label %768

753:
  %754 = load i64, ptr %663, align 8
  %755 = getelementptr float, ptr %743, i64 %754
  store <8 x float> %740, ptr %755, align 4
  br i1 %664, label %756, label %768

756:
  %757 = load i64, ptr %665, align 8
  %758 = getelementptr float, ptr %743, i64 %757
  store <8 x float> %736, ptr %758, align 4
  br i1 %666, label %759, label %768

759:
  %760 = load i64, ptr %667, align 8
  %761 = getelementptr float, ptr %743, i64 %760
  store <8 x float> %737, ptr %761, align 4
  br i1 %668, label %762, label %768

762:
  %763 = load i64, ptr %669, align 8
  %764 = getelementptr float, ptr %743, i64 %763
  store <8 x float> %739, ptr %764, align 4
  br i1 %670, label %765, label %768

765:
  %766 = load i64, ptr %671, align 8
  %767 = getelementptr float, ptr %743, i64 %766
  store <8 x float> %741, ptr %767, align 4
  br label %768

768:
  %769 = add i64 %674, 4
  %770 = icmp sgt i64 %769, %407
  br i1 %770, label %771, label %673

771:
  %772 = phi i64 [ 0, %652 ], [ %674, %768 ]
  %773 = icmp slt i64 %772, %407
  br i1 %773, label %774, label %802

774:
  %775 = phi i64 [ %790, %789 ], [ %772, %771 ]
  %776 = getelementptr inbounds i32, ptr %415, i64 %775
  %777 = load i32, ptr %776, align 4
  %778 = sext i32 %777 to i64
  %779 = getelementptr inbounds %struct.Complex_f32, ptr %655, i64 %778
  %780 = load <8 x float>, ptr %779, align 32
  %781 = getelementptr inbounds nuw i8, ptr %779, i64 32
  %782 = load <8 x float>, ptr %781, align 32
  %783 = fmul <8 x float> %650, %780
  %784 = fmul <8 x float> %650, %782
  %785 = select i1 %418, <8 x float> %784, <8 x float> %783
  %786 = select i1 %418, <8 x float> %783, <8 x float> %784
  %787 = mul i64 %775, %410
  %788 = getelementptr float, ptr %57, i64 %787
  br label %792

789:
  %790 = add nsw i64 %775, 1
  %791 = icmp eq i64 %790, %407
  br i1 %791, label %802, label %774

792:
  %793 = phi i64 [ 0, %774 ], [ %800, %792 ]
  %794 = getelementptr inbounds nuw i64, ptr %653, i64 %793
  %795 = load i64, ptr %794, align 8
  %796 = getelementptr float, ptr %788, i64 %795
  %797 = extractelement <8 x float> %786, i64 %793
  store float %797, ptr %796, align 4
  %798 = extractelement <8 x float> %785, i64 %793
  %799 = getelementptr inbounds float, ptr %796, i64 %412
  store float %798, ptr %799, align 4
  %800 = add nuw nsw i64 %793, 1
  %801 = icmp eq i64 %800, %656
  br i1 %801, label %789, label %792

802:
  %803 = add nsw i64 %654, -8
  %804 = getelementptr inbounds nuw i8, ptr %653, i64 64
  %805 = getelementptr inbounds %struct.Complex_f32, ptr %655, i64 %408
  %806 = icmp sgt i64 %654, 8
  br i1 %806, label %652, label %1920

807:
  %808 = phi i64 [ 0, %369 ], [ %1918, %1917 ]
  %809 = load i64, ptr %91, align 8
  %810 = mul i64 %809, %808
  %811 = getelementptr inbounds %struct.Complex_f32, ptr %4, i64 %810
  %812 = load i64, ptr %370, align 8
  %813 = icmp eq i64 %812, 2
  br i1 %813, label %814, label %860

814:
  %815 = load i64, ptr %371, align 8
  %816 = load ptr, ptr %372, align 8
  %817 = load <8 x float>, ptr %811, align 32
  %818 = getelementptr inbounds nuw i8, ptr %811, i64 32
  %819 = getelementptr inbounds %struct.Complex_f32, ptr %811, i64 %815
  %820 = load <8 x float>, ptr %819, align 32
  %821 = fsub <8 x float> %817, %820
  %822 = fadd <8 x float> %817, %820
  store <8 x float> %821, ptr %811, align 32
  store <8 x float> %822, ptr %818, align 32
  %823 = icmp slt i64 %815, 2
  br i1 %823, label %860, label %824

824:
  %825 = phi i64 [ %858, %824 ], [ 2, %814 ]
  %826 = phi i64 [ %857, %824 ], [ 1, %814 ]
  %827 = getelementptr inbounds %struct.Complex_f32, ptr %811, i64 %826
  %828 = load <8 x float>, ptr %827, align 32
  %829 = getelementptr inbounds nuw i8, ptr %827, i64 32
  %830 = load <8 x float>, ptr %829, align 32
  %831 = sub i64 %815, %826
  %832 = getelementptr inbounds %struct.Complex_f32, ptr %811, i64 %831
  %833 = load <8 x float>, ptr %832, align 32
  %834 = getelementptr inbounds nuw i8, ptr %832, i64 32
  %835 = load <8 x float>, ptr %834, align 32
  %836 = fadd <8 x float> %828, %833
  %837 = fsub <8 x float> %830, %835
  %838 = fsub <8 x float> %828, %833
  %839 = fadd <8 x float> %830, %835
  %840 = getelementptr inbounds float, ptr %816, i64 %825
  %841 = load float, ptr %840, align 4
  %842 = insertelement <8 x float> poison, float %841, i64 0
  %843 = shufflevector <8 x float> %842, <8 x float> poison, <8 x i32> zeroinitializer
  %844 = getelementptr i8, ptr %840, i64 4
  %845 = load float, ptr %844, align 4
  %846 = insertelement <8 x float> poison, float %845, i64 0
  %847 = shufflevector <8 x float> %846, <8 x float> poison, <8 x i32> zeroinitializer
  %848 = fmul <8 x float> %839, %847
  %849 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %838, <8 x float> %843, <8 x float> %848)
  %850 = fneg <8 x float> %847
  %851 = fmul <8 x float> %838, %850
  %852 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %839, <8 x float> %843, <8 x float> %851)
  %853 = fadd <8 x float> %837, %849
  %854 = fsub <8 x float> %836, %852
  store <8 x float> %853, ptr %827, align 32
  store <8 x float> %854, ptr %829, align 32
  %855 = fsub <8 x float> %849, %837
  %856 = fadd <8 x float> %836, %852
  store <8 x float> %855, ptr %832, align 32
  store <8 x float> %856, ptr %834, align 32
  %857 = add i64 %826, 1
  %858 = shl i64 %857, 1
  %859 = icmp sgt i64 %858, %815
  br i1 %859, label %860, label %824

860:
  %861 = load i64, ptr %371, align 8
  %862 = load i64, ptr %373, align 8
  %863 = icmp sgt i64 %862, 0
  br i1 %863, label %864, label %1850

864:
  %865 = load ptr, ptr %374, align 8
  %866 = icmp sgt i64 %861, 0
  br label %867

867:
  %868 = phi i64 [ %861, %864 ], [ %1842, %1840 ]
  %869 = phi ptr [ %865, %864 ], [ %1846, %1840 ]
  %870 = phi i64 [ 0, %864 ], [ %1847, %1840 ]
  %871 = getelementptr inbounds nuw i64, ptr %375, i64 %870
  %872 = load i64, ptr %871, align 8
  %873 = icmp eq i64 %868, %872
  %874 = icmp sgt i64 %872, 8
  %875 = icmp eq i64 %872, 7
  %876 = or i1 %874, %875
  br i1 %876, label %877, label %1030

877:
  %878 = shl i64 %872, 3
  %879 = getelementptr inbounds i8, ptr %869, i64 %878
  %880 = sdiv i64 %868, %872
  br i1 %866, label %881, label %1840

881:
  %882 = icmp sgt i64 %880, 0
  %883 = shl nuw i64 %872, 1
  %884 = add i64 %883, -2
  %885 = icmp eq i64 %880, 1
  %886 = add nsw i64 %872, -3
  %887 = lshr i64 %886, 1
  %888 = add nuw nsw i64 %887, 2
  br label %889

889:
  %890 = phi i64 [ 0, %881 ], [ %894, %893 ]
  br i1 %882, label %891, label %893

891:
  %892 = getelementptr inbounds %struct.Complex_f32, ptr %811, i64 %890
  br label %896

893:
  %894 = add i64 %890, %868
  %895 = icmp slt i64 %894, %861
  br i1 %895, label %889, label %1840

896:
  %897 = phi i64 [ 0, %891 ], [ %939, %938 ]
  %898 = getelementptr inbounds nuw %struct.Complex_f32, ptr %892, i64 %897
  %899 = load <8 x float>, ptr %898, align 32
  %900 = getelementptr inbounds nuw i8, ptr %898, i64 32
  %901 = load <8 x float>, ptr %900, align 32
  br label %906

902:
  %903 = mul i64 %897, %884
  %904 = getelementptr inbounds float, ptr %879, i64 %903
  %905 = getelementptr inbounds i8, ptr %904, i64 -8
  store <8 x float> %931, ptr %898, align 32
  store <8 x float> %932, ptr %900, align 32
  br label %935

906:
  %907 = phi i64 [ %933, %906 ], [ 1, %896 ]
  %908 = phi <8 x float> [ %932, %906 ], [ %901, %896 ]
  %909 = phi <8 x float> [ %931, %906 ], [ %899, %896 ]
  %910 = add nsw i64 %907, -1
  %911 = getelementptr inbounds %struct.Complex_f32, ptr %6, i64 %910
  %912 = mul i64 %907, %880
  %913 = getelementptr inbounds %struct.Complex_f32, ptr %898, i64 %912
  %914 = sub nsw i64 %872, %907
  %915 = mul i64 %914, %880
  %916 = getelementptr inbounds %struct.Complex_f32, ptr %898, i64 %915
  %917 = load <8 x float>, ptr %916, align 32
  %918 = getelementptr inbounds nuw i8, ptr %916, i64 32
  %919 = load <8 x float>, ptr %918, align 32
  %920 = load <8 x float>, ptr %913, align 32
  %921 = getelementptr inbounds nuw i8, ptr %913, i64 32
  %922 = load <8 x float>, ptr %921, align 32
  %923 = fadd <8 x float> %917, %920
  %924 = fadd <8 x float> %919, %922
  store <8 x float> %923, ptr %911, align 32
  %925 = getelementptr inbounds nuw i8, ptr %911, i64 32
  store <8 x float> %924, ptr %925, align 32
  %926 = getelementptr inbounds %struct.Complex_f32, ptr %7, i64 %910
  %927 = fsub <8 x float> %920, %917
  %928 = fsub <8 x float> %922, %919
  %929 = fneg <8 x float> %927
  store <8 x float> %928, ptr %926, align 32
  %930 = getelementptr inbounds nuw i8, ptr %926, i64 32
  store <8 x float> %929, ptr %930, align 32
  %931 = fadd <8 x float> %909, %923
  %932 = fadd <8 x float> %908, %924
  %933 = add nuw nsw i64 %907, 1
  %934 = icmp eq i64 %933, %888
  br i1 %934, label %902, label %906

935:
  %936 = phi i64 [ %993, %988 ], [ 2, %902 ]
  %937 = phi i64 [ %992, %988 ], [ 1, %902 ]
  br label %995

938:
  %939 = add nuw nsw i64 %897, 1
  %940 = icmp eq i64 %939, %880
  br i1 %940, label %893, label %896

941:
  %942 = mul i64 %937, %880
  %943 = getelementptr inbounds %struct.Complex_f32, ptr %898, i64 %942
  %944 = fadd <8 x float> %1010, %1020
  %945 = fadd <8 x float> %1013, %1023
  br i1 %885, label %962, label %946

946:
  %947 = getelementptr inbounds float, ptr %905, i64 %936
  %948 = load float, ptr %947, align 4
  %949 = insertelement <8 x float> poison, float %948, i64 0
  %950 = shufflevector <8 x float> %949, <8 x float> poison, <8 x i32> zeroinitializer
  %951 = getelementptr inbounds nuw i8, ptr %947, i64 4
  %952 = load float, ptr %951, align 4
  %953 = insertelement <8 x float> poison, float %952, i64 0
  %954 = fneg float %952
  %955 = insertelement <8 x float> poison, float %954, i64 0
  %956 = shufflevector <8 x float> %955, <8 x float> poison, <8 x i32> zeroinitializer
  %957 = fmul <8 x float> %945, %956
  %958 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %944, <8 x float> %950, <8 x float> %957)
  %959 = shufflevector <8 x float> %953, <8 x float> poison, <8 x i32> zeroinitializer
  %960 = fmul <8 x float> %944, %959
  %961 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %945, <8 x float> %950, <8 x float> %960)
  br label %962

962:
  %963 = phi <8 x float> [ %961, %946 ], [ %945, %941 ]
  %964 = phi <8 x float> [ %958, %946 ], [ %944, %941 ]
  store <8 x float> %964, ptr %943, align 32
  %965 = getelementptr inbounds nuw i8, ptr %943, i64 32
  store <8 x float> %963, ptr %965, align 32
  %966 = sub nsw i64 %872, %937
  %967 = mul i64 %966, %880
  %968 = getelementptr inbounds %struct.Complex_f32, ptr %898, i64 %967
  %969 = fsub <8 x float> %1010, %1020
  %970 = fsub <8 x float> %1013, %1023
  br i1 %885, label %988, label %971

971:
  %972 = shl i64 %966, 3
  %973 = getelementptr inbounds i8, ptr %905, i64 %972
  %974 = load float, ptr %973, align 4
  %975 = insertelement <8 x float> poison, float %974, i64 0
  %976 = shufflevector <8 x float> %975, <8 x float> poison, <8 x i32> zeroinitializer
  %977 = getelementptr inbounds nuw i8, ptr %973, i64 4
  %978 = load float, ptr %977, align 4
  %979 = insertelement <8 x float> poison, float %978, i64 0
  %980 = fneg float %978
  %981 = insertelement <8 x float> poison, float %980, i64 0
  %982 = shufflevector <8 x float> %981, <8 x float> poison, <8 x i32> zeroinitializer
  %983 = fmul <8 x float> %970, %982
  %984 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %969, <8 x float> %976, <8 x float> %983)
  %985 = shufflevector <8 x float> %979, <8 x float> poison, <8 x i32> zeroinitializer
  %986 = fmul <8 x float> %969, %985
  %987 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %970, <8 x float> %976, <8 x float> %986)
  br label %988

988:
  %989 = phi <8 x float> [ %987, %971 ], [ %970, %962 ]
  %990 = phi <8 x float> [ %984, %971 ], [ %969, %962 ]
  store <8 x float> %990, ptr %968, align 32
  %991 = getelementptr inbounds nuw i8, ptr %968, i64 32
  store <8 x float> %989, ptr %991, align 32
  %992 = add nuw nsw i64 %937, 1
  %993 = shl nuw i64 %992, 1
  %994 = icmp eq i64 %992, %888
  br i1 %994, label %938, label %935

995:
  %996 = phi i64 [ %937, %935 ], [ %1028, %995 ]
  %997 = phi i64 [ 1, %935 ], [ %1024, %995 ]
  %998 = phi <8 x float> [ %901, %935 ], [ %1013, %995 ]
  %999 = phi <8 x float> [ %899, %935 ], [ %1010, %995 ]
  %1000 = phi <8 x float> [ zeroinitializer, %935 ], [ %1020, %995 ]
  %1001 = phi <8 x float> [ zeroinitializer, %935 ], [ %1023, %995 ]
  %1002 = add nsw i64 %997, -1
  %1003 = getelementptr inbounds %struct.Complex_f32, ptr %6, i64 %1002
  %1004 = load <8 x float>, ptr %1003, align 32
  %1005 = shl i64 %996, 3
  %1006 = getelementptr inbounds i8, ptr %869, i64 %1005
  %1007 = load float, ptr %1006, align 4
  %1008 = insertelement <8 x float> poison, float %1007, i64 0
  %1009 = shufflevector <8 x float> %1008, <8 x float> poison, <8 x i32> zeroinitializer
  %1010 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1004, <8 x float> %1009, <8 x float> %999)
  %1011 = getelementptr inbounds nuw i8, ptr %1003, i64 32
  %1012 = load <8 x float>, ptr %1011, align 32
  %1013 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1012, <8 x float> %1009, <8 x float> %998)
  %1014 = getelementptr inbounds %struct.Complex_f32, ptr %7, i64 %1002
  %1015 = load <8 x float>, ptr %1014, align 32
  %1016 = getelementptr i8, ptr %1006, i64 4
  %1017 = load float, ptr %1016, align 4
  %1018 = insertelement <8 x float> poison, float %1017, i64 0
  %1019 = shufflevector <8 x float> %1018, <8 x float> poison, <8 x i32> zeroinitializer
  %1020 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1015, <8 x float> %1019, <8 x float> %1000)
  %1021 = getelementptr inbounds nuw i8, ptr %1014, i64 32
  %1022 = load <8 x float>, ptr %1021, align 32
  %1023 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1022, <8 x float> %1019, <8 x float> %1001)
  %1024 = add nuw nsw i64 %997, 1
  %1025 = add i64 %996, %937
  %1026 = icmp slt i64 %1025, %872
  %1027 = select i1 %1026, i64 0, i64 %872
  %1028 = sub i64 %1025, %1027
  %1029 = icmp eq i64 %1024, %888
  br i1 %1029, label %941, label %995

1030:
  switch i64 %872, label %1840 [
    i64 2, label %1031
    i64 3, label %1092
    i64 4, label %1197
    i64 5, label %1330
    i64 8, label %1529
  ]

1031:
  br i1 %873, label %1032, label %1049

1032:
  br i1 %866, label %1033, label %1840

1033:
  %1034 = phi i64 [ %1047, %1033 ], [ 0, %1032 ]
  %1035 = getelementptr inbounds nuw %struct.Complex_f32, ptr %811, i64 %1034
  %1036 = load <8 x float>, ptr %1035, align 32
  %1037 = getelementptr inbounds nuw i8, ptr %1035, i64 32
  %1038 = load <8 x float>, ptr %1037, align 32
  %1039 = getelementptr inbounds nuw i8, ptr %1035, i64 64
  %1040 = load <8 x float>, ptr %1039, align 32
  %1041 = getelementptr inbounds nuw i8, ptr %1035, i64 96
  %1042 = load <8 x float>, ptr %1041, align 32
  %1043 = fadd <8 x float> %1036, %1040
  %1044 = fadd <8 x float> %1038, %1042
  store <8 x float> %1043, ptr %1035, align 32
  store <8 x float> %1044, ptr %1037, align 32
  %1045 = fsub <8 x float> %1036, %1040
  %1046 = fsub <8 x float> %1038, %1042
  store <8 x float> %1045, ptr %1039, align 32
  store <8 x float> %1046, ptr %1041, align 32
  %1047 = add nuw nsw i64 %1034, 2
  %1048 = icmp slt i64 %1047, %861
  br i1 %1048, label %1033, label %1840

1049:
  %1050 = sdiv i64 %868, 2
  br i1 %866, label %1051, label %1840

1051:
  %1052 = icmp sgt i64 %868, 1
  br label %1053

1053:
  %1054 = phi i64 [ 0, %1051 ], [ %1058, %1057 ]
  br i1 %1052, label %1055, label %1057

1055:
  %1056 = getelementptr inbounds %struct.Complex_f32, ptr %811, i64 %1054
  br label %1060

1057:
  %1058 = add i64 %1054, %868
  %1059 = icmp slt i64 %1058, %861
  br i1 %1059, label %1053, label %1840

1060:
  %1061 = phi i64 [ 0, %1055 ], [ %1090, %1060 ]
  %1062 = getelementptr inbounds nuw %struct.Complex_f32, ptr %1056, i64 %1061
  %1063 = load <8 x float>, ptr %1062, align 32
  %1064 = getelementptr inbounds nuw i8, ptr %1062, i64 32
  %1065 = load <8 x float>, ptr %1064, align 32
  %1066 = getelementptr inbounds nuw %struct.Complex_f32, ptr %1062, i64 %1050
  %1067 = load <8 x float>, ptr %1066, align 32
  %1068 = getelementptr inbounds nuw i8, ptr %1066, i64 32
  %1069 = load <8 x float>, ptr %1068, align 32
  %1070 = fadd <8 x float> %1063, %1067
  %1071 = fadd <8 x float> %1065, %1069
  store <8 x float> %1070, ptr %1062, align 32
  store <8 x float> %1071, ptr %1064, align 32
  %1072 = fsub <8 x float> %1063, %1067
  %1073 = fsub <8 x float> %1065, %1069
  %1074 = shl i64 %1061, 3
  %1075 = getelementptr inbounds i8, ptr %869, i64 %1074
  %1076 = load float, ptr %1075, align 4
  %1077 = insertelement <8 x float> poison, float %1076, i64 0
  %1078 = shufflevector <8 x float> %1077, <8 x float> poison, <8 x i32> zeroinitializer
  %1079 = getelementptr inbounds nuw i8, ptr %1075, i64 4
  %1080 = load float, ptr %1079, align 4
  %1081 = insertelement <8 x float> poison, float %1080, i64 0
  %1082 = fneg float %1080
  %1083 = insertelement <8 x float> poison, float %1082, i64 0
  %1084 = shufflevector <8 x float> %1083, <8 x float> poison, <8 x i32> zeroinitializer
  %1085 = fmul <8 x float> %1073, %1084
  %1086 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1072, <8 x float> %1078, <8 x float> %1085)
  %1087 = shufflevector <8 x float> %1081, <8 x float> poison, <8 x i32> zeroinitializer
  %1088 = fmul <8 x float> %1072, %1087
  %1089 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1073, <8 x float> %1078, <8 x float> %1088)
  store <8 x float> %1086, ptr %1066, align 32
  store <8 x float> %1089, ptr %1068, align 32
  %1090 = add nuw nsw i64 %1061, 1
  %1091 = icmp eq i64 %1090, %1050
  br i1 %1091, label %1057, label %1060

1092:
  br i1 %873, label %1093, label %1124

1093:
  br i1 %866, label %1094, label %1840

1094:
  %1095 = phi i64 [ %1122, %1094 ], [ 0, %1093 ]
  %1096 = getelementptr inbounds %struct.Complex_f32, ptr %811, i64 %1095
  %1097 = load <8 x float>, ptr %1096, align 32
  %1098 = getelementptr inbounds nuw i8, ptr %1096, i64 32
  %1099 = load <8 x float>, ptr %1098, align 32
  %1100 = getelementptr inbounds nuw i8, ptr %1096, i64 64
  %1101 = getelementptr inbounds nuw i8, ptr %1096, i64 128
  %1102 = load <8 x float>, ptr %1101, align 32
  %1103 = getelementptr inbounds nuw i8, ptr %1096, i64 160
  %1104 = load <8 x float>, ptr %1103, align 32
  %1105 = load <8 x float>, ptr %1100, align 32
  %1106 = getelementptr inbounds nuw i8, ptr %1096, i64 96
  %1107 = load <8 x float>, ptr %1106, align 32
  %1108 = fadd <8 x float> %1102, %1105
  %1109 = fadd <8 x float> %1104, %1107
  %1110 = fsub <8 x float> %1105, %1102
  %1111 = fsub <8 x float> %1107, %1104
  %1112 = fmul <8 x float> %1111, splat (float 0x3FEBB67AE0000000)
  %1113 = fmul <8 x float> %1110, splat (float 0xBFEBB67AE0000000)
  %1114 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1108, <8 x float> splat (float -5.000000e-01), <8 x float> %1097)
  %1115 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1109, <8 x float> splat (float -5.000000e-01), <8 x float> %1099)
  %1116 = fadd <8 x float> %1097, %1108
  %1117 = fadd <8 x float> %1099, %1109
  store <8 x float> %1116, ptr %1096, align 32
  store <8 x float> %1117, ptr %1098, align 32
  %1118 = fadd <8 x float> %1114, %1112
  %1119 = fadd <8 x float> %1113, %1115
  store <8 x float> %1118, ptr %1100, align 32
  store <8 x float> %1119, ptr %1106, align 32
  %1120 = fsub <8 x float> %1114, %1112
  %1121 = fsub <8 x float> %1115, %1113
  store <8 x float> %1120, ptr %1101, align 32
  store <8 x float> %1121, ptr %1103, align 32
  %1122 = add i64 %1095, 3
  %1123 = icmp slt i64 %1122, %861
  br i1 %1123, label %1094, label %1840

1124:
  %1125 = sdiv i64 %868, 3
  br i1 %866, label %1126, label %1840

1126:
  %1127 = icmp sgt i64 %868, 2
  %1128 = shl nsw i64 %1125, 7
  br label %1129

1129:
  %1130 = phi i64 [ 0, %1126 ], [ %1134, %1133 ]
  br i1 %1127, label %1131, label %1133

1131:
  %1132 = getelementptr inbounds %struct.Complex_f32, ptr %811, i64 %1130
  br label %1136

1133:
  %1134 = add i64 %1130, %868
  %1135 = icmp slt i64 %1134, %861
  br i1 %1135, label %1129, label %1840

1136:
  %1137 = phi i64 [ 0, %1131 ], [ %1195, %1136 ]
  %1138 = getelementptr inbounds nuw %struct.Complex_f32, ptr %1132, i64 %1137
  %1139 = load <8 x float>, ptr %1138, align 32
  %1140 = getelementptr inbounds nuw i8, ptr %1138, i64 32
  %1141 = load <8 x float>, ptr %1140, align 32
  %1142 = getelementptr inbounds nuw %struct.Complex_f32, ptr %1138, i64 %1125
  %1143 = getelementptr inbounds nuw i8, ptr %1138, i64 %1128
  %1144 = load <8 x float>, ptr %1143, align 32
  %1145 = getelementptr inbounds nuw i8, ptr %1143, i64 32
  %1146 = load <8 x float>, ptr %1145, align 32
  %1147 = load <8 x float>, ptr %1142, align 32
  %1148 = getelementptr inbounds nuw i8, ptr %1142, i64 32
  %1149 = load <8 x float>, ptr %1148, align 32
  %1150 = fadd <8 x float> %1144, %1147
  %1151 = fadd <8 x float> %1146, %1149
  %1152 = fsub <8 x float> %1147, %1144
  %1153 = fsub <8 x float> %1149, %1146
  %1154 = fmul <8 x float> %1153, splat (float 0x3FEBB67AE0000000)
  %1155 = fmul <8 x float> %1152, splat (float 0xBFEBB67AE0000000)
  %1156 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1150, <8 x float> splat (float -5.000000e-01), <8 x float> %1139)
  %1157 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1151, <8 x float> splat (float -5.000000e-01), <8 x float> %1141)
  %1158 = shl i64 %1137, 4
  %1159 = getelementptr inbounds i8, ptr %869, i64 %1158
  %1160 = fadd <8 x float> %1139, %1150
  %1161 = fadd <8 x float> %1141, %1151
  store <8 x float> %1160, ptr %1138, align 32
  store <8 x float> %1161, ptr %1140, align 32
  %1162 = fadd <8 x float> %1156, %1154
  %1163 = fadd <8 x float> %1155, %1157
  %1164 = load float, ptr %1159, align 4
  %1165 = insertelement <8 x float> poison, float %1164, i64 0
  %1166 = shufflevector <8 x float> %1165, <8 x float> poison, <8 x i32> zeroinitializer
  %1167 = getelementptr inbounds nuw i8, ptr %1159, i64 4
  %1168 = load float, ptr %1167, align 4
  %1169 = insertelement <8 x float> poison, float %1168, i64 0
  %1170 = fneg float %1168
  %1171 = insertelement <8 x float> poison, float %1170, i64 0
  %1172 = shufflevector <8 x float> %1171, <8 x float> poison, <8 x i32> zeroinitializer
  %1173 = fmul <8 x float> %1163, %1172
  %1174 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1162, <8 x float> %1166, <8 x float> %1173)
  %1175 = shufflevector <8 x float> %1169, <8 x float> poison, <8 x i32> zeroinitializer
  %1176 = fmul <8 x float> %1162, %1175
  %1177 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1163, <8 x float> %1166, <8 x float> %1176)
  store <8 x float> %1174, ptr %1142, align 32
  store <8 x float> %1177, ptr %1148, align 32
  %1178 = fsub <8 x float> %1156, %1154
  %1179 = fsub <8 x float> %1157, %1155
  %1180 = getelementptr inbounds nuw i8, ptr %1159, i64 8
  %1181 = load float, ptr %1180, align 4
  %1182 = insertelement <8 x float> poison, float %1181, i64 0
  %1183 = shufflevector <8 x float> %1182, <8 x float> poison, <8 x i32> zeroinitializer
  %1184 = getelementptr inbounds nuw i8, ptr %1159, i64 12
  %1185 = load float, ptr %1184, align 4
  %1186 = insertelement <8 x float> poison, float %1185, i64 0
  %1187 = fneg float %1185
  %1188 = insertelement <8 x float> poison, float %1187, i64 0
  %1189 = shufflevector <8 x float> %1188, <8 x float> poison, <8 x i32> zeroinitializer
  %1190 = fmul <8 x float> %1179, %1189
  %1191 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1178, <8 x float> %1183, <8 x float> %1190)
  %1192 = shufflevector <8 x float> %1186, <8 x float> poison, <8 x i32> zeroinitializer
  %1193 = fmul <8 x float> %1178, %1192
  %1194 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1179, <8 x float> %1183, <8 x float> %1193)
  store <8 x float> %1191, ptr %1143, align 32
  store <8 x float> %1194, ptr %1145, align 32
  %1195 = add nuw nsw i64 %1137, 1
  %1196 = icmp eq i64 %1195, %1125
  br i1 %1196, label %1133, label %1136

1197:
  br i1 %873, label %1198, label %1235

1198:
  br i1 %866, label %1199, label %1840

1199:
  %1200 = phi i64 [ %1233, %1199 ], [ 0, %1198 ]
  %1201 = getelementptr inbounds nuw %struct.Complex_f32, ptr %811, i64 %1200
  %1202 = getelementptr inbounds nuw i8, ptr %1201, i64 64
  %1203 = getelementptr inbounds nuw i8, ptr %1201, i64 128
  %1204 = getelementptr inbounds nuw i8, ptr %1201, i64 192
  %1205 = load <8 x float>, ptr %1204, align 32
  %1206 = getelementptr inbounds nuw i8, ptr %1201, i64 224
  %1207 = load <8 x float>, ptr %1206, align 32
  %1208 = load <8 x float>, ptr %1203, align 32
  %1209 = getelementptr inbounds nuw i8, ptr %1201, i64 160
  %1210 = load <8 x float>, ptr %1209, align 32
  %1211 = load <8 x float>, ptr %1202, align 32
  %1212 = getelementptr inbounds nuw i8, ptr %1201, i64 96
  %1213 = load <8 x float>, ptr %1212, align 32
  %1214 = load <8 x float>, ptr %1201, align 32
  %1215 = getelementptr inbounds nuw i8, ptr %1201, i64 32
  %1216 = load <8 x float>, ptr %1215, align 32
  %1217 = fadd <8 x float> %1208, %1214
  %1218 = fadd <8 x float> %1210, %1216
  %1219 = fsub <8 x float> %1214, %1208
  %1220 = fsub <8 x float> %1216, %1210
  %1221 = fadd <8 x float> %1205, %1211
  %1222 = fadd <8 x float> %1207, %1213
  %1223 = fsub <8 x float> %1211, %1205
  %1224 = fsub <8 x float> %1213, %1207
  %1225 = fadd <8 x float> %1221, %1217
  %1226 = fadd <8 x float> %1222, %1218
  %1227 = fadd <8 x float> %1224, %1219
  %1228 = fsub <8 x float> %1220, %1223
  %1229 = fsub <8 x float> %1217, %1221
  %1230 = fsub <8 x float> %1218, %1222
  %1231 = fsub <8 x float> %1219, %1224
  %1232 = fadd <8 x float> %1223, %1220
  store <8 x float> %1225, ptr %1201, align 32
  store <8 x float> %1226, ptr %1215, align 32
  store <8 x float> %1227, ptr %1202, align 32
  store <8 x float> %1228, ptr %1212, align 32
  store <8 x float> %1229, ptr %1203, align 32
  store <8 x float> %1230, ptr %1209, align 32
  store <8 x float> %1231, ptr %1204, align 32
  store <8 x float> %1232, ptr %1206, align 32
  %1233 = add nuw nsw i64 %1200, 4
  %1234 = icmp slt i64 %1233, %861
  br i1 %1234, label %1199, label %1840

1235:
  %1236 = sdiv i64 %868, 4
  br i1 %866, label %1237, label %1840

1237:
  %1238 = icmp sgt i64 %868, 3
  %1239 = shl nsw i64 %1236, 7
  %1240 = mul nsw i64 %1236, 192
  br label %1241

1241:
  %1242 = phi i64 [ 0, %1237 ], [ %1246, %1245 ]
  br i1 %1238, label %1243, label %1245

1243:
  %1244 = getelementptr inbounds %struct.Complex_f32, ptr %811, i64 %1242
  br label %1248

1245:
  %1246 = add i64 %1242, %868
  %1247 = icmp slt i64 %1246, %861
  br i1 %1247, label %1241, label %1840

1248:
  %1249 = phi i64 [ 0, %1243 ], [ %1328, %1248 ]
  %1250 = getelementptr inbounds nuw %struct.Complex_f32, ptr %1244, i64 %1249
  %1251 = mul i64 %1249, 24
  %1252 = getelementptr inbounds i8, ptr %869, i64 %1251
  %1253 = getelementptr inbounds nuw %struct.Complex_f32, ptr %1250, i64 %1236
  %1254 = getelementptr inbounds nuw i8, ptr %1250, i64 %1239
  %1255 = getelementptr inbounds nuw i8, ptr %1250, i64 %1240
  %1256 = load <8 x float>, ptr %1255, align 32
  %1257 = getelementptr inbounds nuw i8, ptr %1255, i64 32
  %1258 = load <8 x float>, ptr %1257, align 32
  %1259 = load <8 x float>, ptr %1254, align 32
  %1260 = getelementptr inbounds nuw i8, ptr %1254, i64 32
  %1261 = load <8 x float>, ptr %1260, align 32
  %1262 = load <8 x float>, ptr %1253, align 32
  %1263 = getelementptr inbounds nuw i8, ptr %1253, i64 32
  %1264 = load <8 x float>, ptr %1263, align 32
  %1265 = load <8 x float>, ptr %1250, align 32
  %1266 = getelementptr inbounds nuw i8, ptr %1250, i64 32
  %1267 = load <8 x float>, ptr %1266, align 32
  %1268 = fadd <8 x float> %1259, %1265
  %1269 = fadd <8 x float> %1261, %1267
  %1270 = fsub <8 x float> %1265, %1259
  %1271 = fsub <8 x float> %1267, %1261
  %1272 = fadd <8 x float> %1256, %1262
  %1273 = fadd <8 x float> %1258, %1264
  %1274 = fsub <8 x float> %1262, %1256
  %1275 = fsub <8 x float> %1264, %1258
  %1276 = fadd <8 x float> %1272, %1268
  %1277 = fadd <8 x float> %1273, %1269
  %1278 = fadd <8 x float> %1275, %1270
  %1279 = fsub <8 x float> %1271, %1274
  %1280 = fsub <8 x float> %1268, %1272
  %1281 = fsub <8 x float> %1269, %1273
  %1282 = fsub <8 x float> %1270, %1275
  %1283 = fadd <8 x float> %1274, %1271
  store <8 x float> %1276, ptr %1250, align 32
  store <8 x float> %1277, ptr %1266, align 32
  %1284 = load float, ptr %1252, align 4
  %1285 = insertelement <8 x float> poison, float %1284, i64 0
  %1286 = shufflevector <8 x float> %1285, <8 x float> poison, <8 x i32> zeroinitializer
  %1287 = getelementptr inbounds nuw i8, ptr %1252, i64 4
  %1288 = load float, ptr %1287, align 4
  %1289 = insertelement <8 x float> poison, float %1288, i64 0
  %1290 = fneg float %1288
  %1291 = insertelement <8 x float> poison, float %1290, i64 0
  %1292 = shufflevector <8 x float> %1291, <8 x float> poison, <8 x i32> zeroinitializer
  %1293 = fmul <8 x float> %1279, %1292
  %1294 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1278, <8 x float> %1286, <8 x float> %1293)
  %1295 = shufflevector <8 x float> %1289, <8 x float> poison, <8 x i32> zeroinitializer
  %1296 = fmul <8 x float> %1278, %1295
  %1297 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1279, <8 x float> %1286, <8 x float> %1296)
  store <8 x float> %1294, ptr %1253, align 32
  store <8 x float> %1297, ptr %1263, align 32
  %1298 = getelementptr inbounds nuw i8, ptr %1252, i64 8
  %1299 = load float, ptr %1298, align 4
  %1300 = insertelement <8 x float> poison, float %1299, i64 0
  %1301 = shufflevector <8 x float> %1300, <8 x float> poison, <8 x i32> zeroinitializer
  %1302 = getelementptr inbounds nuw i8, ptr %1252, i64 12
  %1303 = load float, ptr %1302, align 4
  %1304 = insertelement <8 x float> poison, float %1303, i64 0
  %1305 = fneg float %1303
  %1306 = insertelement <8 x float> poison, float %1305, i64 0
  %1307 = shufflevector <8 x float> %1306, <8 x float> poison, <8 x i32> zeroinitializer
  %1308 = fmul <8 x float> %1281, %1307
  %1309 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1280, <8 x float> %1301, <8 x float> %1308)
  %1310 = shufflevector <8 x float> %1304, <8 x float> poison, <8 x i32> zeroinitializer
  %1311 = fmul <8 x float> %1280, %1310
  %1312 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1281, <8 x float> %1301, <8 x float> %1311)
  store <8 x float> %1309, ptr %1254, align 32
  store <8 x float> %1312, ptr %1260, align 32
  %1313 = getelementptr inbounds nuw i8, ptr %1252, i64 16
  %1314 = load float, ptr %1313, align 4
  %1315 = insertelement <8 x float> poison, float %1314, i64 0
  %1316 = shufflevector <8 x float> %1315, <8 x float> poison, <8 x i32> zeroinitializer
  %1317 = getelementptr inbounds nuw i8, ptr %1252, i64 20
  %1318 = load float, ptr %1317, align 4
  %1319 = insertelement <8 x float> poison, float %1318, i64 0
  %1320 = fneg float %1318
  %1321 = insertelement <8 x float> poison, float %1320, i64 0
  %1322 = shufflevector <8 x float> %1321, <8 x float> poison, <8 x i32> zeroinitializer
  %1323 = fmul <8 x float> %1283, %1322
  %1324 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1282, <8 x float> %1316, <8 x float> %1323)
  %1325 = shufflevector <8 x float> %1319, <8 x float> poison, <8 x i32> zeroinitializer
  %1326 = fmul <8 x float> %1282, %1325
  %1327 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1283, <8 x float> %1316, <8 x float> %1326)
  store <8 x float> %1324, ptr %1255, align 32
  store <8 x float> %1327, ptr %1257, align 32
  %1328 = add nuw nsw i64 %1249, 1
  %1329 = icmp eq i64 %1328, %1236
  br i1 %1329, label %1245, label %1248

1330:
  br i1 %873, label %1331, label %1393

1331:
  br i1 %866, label %1332, label %1840

1332:
  %1333 = phi i64 [ %1391, %1332 ], [ 0, %1331 ]
  %1334 = getelementptr inbounds %struct.Complex_f32, ptr %811, i64 %1333
  %1335 = load <8 x float>, ptr %1334, align 32
  %1336 = getelementptr inbounds nuw i8, ptr %1334, i64 32
  %1337 = load <8 x float>, ptr %1336, align 32
  %1338 = getelementptr inbounds nuw i8, ptr %1334, i64 64
  %1339 = getelementptr inbounds nuw i8, ptr %1334, i64 256
  %1340 = load <8 x float>, ptr %1339, align 32
  %1341 = getelementptr inbounds nuw i8, ptr %1334, i64 288
  %1342 = load <8 x float>, ptr %1341, align 32
  %1343 = load <8 x float>, ptr %1338, align 32
  %1344 = getelementptr inbounds nuw i8, ptr %1334, i64 96
  %1345 = load <8 x float>, ptr %1344, align 32
  %1346 = fadd <8 x float> %1340, %1343
  %1347 = fadd <8 x float> %1342, %1345
  %1348 = fsub <8 x float> %1343, %1340
  %1349 = fsub <8 x float> %1345, %1342
  %1350 = fneg <8 x float> %1348
  %1351 = getelementptr inbounds nuw i8, ptr %1334, i64 128
  %1352 = getelementptr inbounds nuw i8, ptr %1334, i64 192
  %1353 = load <8 x float>, ptr %1352, align 32
  %1354 = getelementptr inbounds nuw i8, ptr %1334, i64 224
  %1355 = load <8 x float>, ptr %1354, align 32
  %1356 = load <8 x float>, ptr %1351, align 32
  %1357 = getelementptr inbounds nuw i8, ptr %1334, i64 160
  %1358 = load <8 x float>, ptr %1357, align 32
  %1359 = fadd <8 x float> %1353, %1356
  %1360 = fadd <8 x float> %1355, %1358
  %1361 = fsub <8 x float> %1356, %1353
  %1362 = fsub <8 x float> %1358, %1355
  %1363 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1346, <8 x float> splat (float 0x3FD3C6EF40000000), <8 x float> %1335)
  %1364 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1359, <8 x float> splat (float 0xBFE9E377A0000000), <8 x float> %1363)
  %1365 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1347, <8 x float> splat (float 0x3FD3C6EF40000000), <8 x float> %1337)
  %1366 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1360, <8 x float> splat (float 0xBFE9E377A0000000), <8 x float> %1365)
  %1367 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1346, <8 x float> splat (float 0xBFE9E377A0000000), <8 x float> %1335)
  %1368 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1359, <8 x float> splat (float 0x3FD3C6EF40000000), <8 x float> %1367)
  %1369 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1347, <8 x float> splat (float 0xBFE9E377A0000000), <8 x float> %1337)
  %1370 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1360, <8 x float> splat (float 0x3FD3C6EF40000000), <8 x float> %1369)
  %1371 = fmul <8 x float> %1362, splat (float 0x3FE2CF2300000000)
  %1372 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1349, <8 x float> splat (float 0x3FEE6F0E20000000), <8 x float> %1371)
  %1373 = fmul <8 x float> %1361, splat (float 0xBFE2CF2300000000)
  %1374 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1350, <8 x float> splat (float 0x3FEE6F0E20000000), <8 x float> %1373)
  %1375 = fmul <8 x float> %1362, splat (float 0xBFEE6F0E20000000)
  %1376 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1349, <8 x float> splat (float 0x3FE2CF2300000000), <8 x float> %1375)
  %1377 = fmul <8 x float> %1361, splat (float 0x3FEE6F0E20000000)
  %1378 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1350, <8 x float> splat (float 0x3FE2CF2300000000), <8 x float> %1377)
  %1379 = fadd <8 x float> %1346, %1359
  %1380 = fadd <8 x float> %1347, %1360
  %1381 = fadd <8 x float> %1335, %1379
  %1382 = fadd <8 x float> %1337, %1380
  store <8 x float> %1381, ptr %1334, align 32
  store <8 x float> %1382, ptr %1336, align 32
  %1383 = fadd <8 x float> %1364, %1372
  %1384 = fadd <8 x float> %1366, %1374
  store <8 x float> %1383, ptr %1338, align 32
  store <8 x float> %1384, ptr %1344, align 32
  %1385 = fadd <8 x float> %1368, %1376
  %1386 = fadd <8 x float> %1370, %1378
  store <8 x float> %1385, ptr %1351, align 32
  store <8 x float> %1386, ptr %1357, align 32
  %1387 = fsub <8 x float> %1368, %1376
  %1388 = fsub <8 x float> %1370, %1378
  store <8 x float> %1387, ptr %1352, align 32
  store <8 x float> %1388, ptr %1354, align 32
  %1389 = fsub <8 x float> %1364, %1372
  %1390 = fsub <8 x float> %1366, %1374
  store <8 x float> %1389, ptr %1339, align 32
  store <8 x float> %1390, ptr %1341, align 32
  %1391 = add i64 %1333, 5
  %1392 = icmp slt i64 %1391, %861
  br i1 %1392, label %1332, label %1840

1393:
  %1394 = sdiv i64 %868, 5
  br i1 %866, label %1395, label %1840

1395:
  %1396 = icmp sgt i64 %868, 4
  %1397 = shl nsw i64 %1394, 8
  %1398 = shl nsw i64 %1394, 7
  %1399 = mul nsw i64 %1394, 192
  br label %1400

1400:
  %1401 = phi i64 [ 0, %1395 ], [ %1405, %1404 ]
  br i1 %1396, label %1402, label %1404

1402:
  %1403 = getelementptr inbounds %struct.Complex_f32, ptr %811, i64 %1401
  br label %1407

1404:
  %1405 = add i64 %1401, %868
  %1406 = icmp slt i64 %1405, %861
  br i1 %1406, label %1400, label %1840

1407:
  %1408 = phi i64 [ 0, %1402 ], [ %1527, %1407 ]
  %1409 = getelementptr inbounds nuw %struct.Complex_f32, ptr %1403, i64 %1408
  %1410 = load <8 x float>, ptr %1409, align 32
  %1411 = getelementptr inbounds nuw i8, ptr %1409, i64 32
  %1412 = load <8 x float>, ptr %1411, align 32
  %1413 = getelementptr inbounds nuw %struct.Complex_f32, ptr %1409, i64 %1394
  %1414 = getelementptr inbounds nuw i8, ptr %1409, i64 %1397
  %1415 = load <8 x float>, ptr %1414, align 32
  %1416 = getelementptr inbounds nuw i8, ptr %1414, i64 32
  %1417 = load <8 x float>, ptr %1416, align 32
  %1418 = load <8 x float>, ptr %1413, align 32
  %1419 = getelementptr inbounds nuw i8, ptr %1413, i64 32
  %1420 = load <8 x float>, ptr %1419, align 32
  %1421 = fadd <8 x float> %1415, %1418
  %1422 = fadd <8 x float> %1417, %1420
  %1423 = fsub <8 x float> %1418, %1415
  %1424 = fsub <8 x float> %1420, %1417
  %1425 = fneg <8 x float> %1423
  %1426 = getelementptr inbounds nuw i8, ptr %1409, i64 %1398
  %1427 = getelementptr inbounds nuw i8, ptr %1409, i64 %1399
  %1428 = load <8 x float>, ptr %1427, align 32
  %1429 = getelementptr inbounds nuw i8, ptr %1427, i64 32
  %1430 = load <8 x float>, ptr %1429, align 32
  %1431 = load <8 x float>, ptr %1426, align 32
  %1432 = getelementptr inbounds nuw i8, ptr %1426, i64 32
  %1433 = load <8 x float>, ptr %1432, align 32
  %1434 = fadd <8 x float> %1428, %1431
  %1435 = fadd <8 x float> %1430, %1433
  %1436 = fsub <8 x float> %1431, %1428
  %1437 = fsub <8 x float> %1433, %1430
  %1438 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1421, <8 x float> splat (float 0x3FD3C6EF40000000), <8 x float> %1410)
  %1439 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1434, <8 x float> splat (float 0xBFE9E377A0000000), <8 x float> %1438)
  %1440 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1422, <8 x float> splat (float 0x3FD3C6EF40000000), <8 x float> %1412)
  %1441 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1435, <8 x float> splat (float 0xBFE9E377A0000000), <8 x float> %1440)
  %1442 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1421, <8 x float> splat (float 0xBFE9E377A0000000), <8 x float> %1410)
  %1443 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1434, <8 x float> splat (float 0x3FD3C6EF40000000), <8 x float> %1442)
  %1444 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1422, <8 x float> splat (float 0xBFE9E377A0000000), <8 x float> %1412)
  %1445 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1435, <8 x float> splat (float 0x3FD3C6EF40000000), <8 x float> %1444)
  %1446 = fmul <8 x float> %1437, splat (float 0x3FE2CF2300000000)
  %1447 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1424, <8 x float> splat (float 0x3FEE6F0E20000000), <8 x float> %1446)
  %1448 = fmul <8 x float> %1436, splat (float 0xBFE2CF2300000000)
  %1449 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1425, <8 x float> splat (float 0x3FEE6F0E20000000), <8 x float> %1448)
  %1450 = fmul <8 x float> %1437, splat (float 0xBFEE6F0E20000000)
  %1451 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1424, <8 x float> splat (float 0x3FE2CF2300000000), <8 x float> %1450)
  %1452 = fmul <8 x float> %1436, splat (float 0x3FEE6F0E20000000)
  %1453 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1425, <8 x float> splat (float 0x3FE2CF2300000000), <8 x float> %1452)
  %1454 = shl i64 %1408, 5
  %1455 = getelementptr inbounds i8, ptr %869, i64 %1454
  %1456 = fadd <8 x float> %1421, %1434
  %1457 = fadd <8 x float> %1422, %1435
  %1458 = fadd <8 x float> %1410, %1456
  %1459 = fadd <8 x float> %1412, %1457
  store <8 x float> %1458, ptr %1409, align 32
  store <8 x float> %1459, ptr %1411, align 32
  %1460 = fadd <8 x float> %1439, %1447
  %1461 = fadd <8 x float> %1441, %1449
  %1462 = load float, ptr %1455, align 4
  %1463 = insertelement <8 x float> poison, float %1462, i64 0
  %1464 = shufflevector <8 x float> %1463, <8 x float> poison, <8 x i32> zeroinitializer
  %1465 = getelementptr inbounds nuw i8, ptr %1455, i64 4
  %1466 = load float, ptr %1465, align 4
  %1467 = insertelement <8 x float> poison, float %1466, i64 0
  %1468 = fneg float %1466
  %1469 = insertelement <8 x float> poison, float %1468, i64 0
  %1470 = shufflevector <8 x float> %1469, <8 x float> poison, <8 x i32> zeroinitializer
  %1471 = fmul <8 x float> %1461, %1470
  %1472 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1460, <8 x float> %1464, <8 x float> %1471)
  %1473 = shufflevector <8 x float> %1467, <8 x float> poison, <8 x i32> zeroinitializer
  %1474 = fmul <8 x float> %1460, %1473
  %1475 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1461, <8 x float> %1464, <8 x float> %1474)
  store <8 x float> %1472, ptr %1413, align 32
  store <8 x float> %1475, ptr %1419, align 32
  %1476 = fadd <8 x float> %1443, %1451
  %1477 = fadd <8 x float> %1445, %1453
  %1478 = getelementptr inbounds nuw i8, ptr %1455, i64 8
  %1479 = load float, ptr %1478, align 4
  %1480 = insertelement <8 x float> poison, float %1479, i64 0
  %1481 = shufflevector <8 x float> %1480, <8 x float> poison, <8 x i32> zeroinitializer
  %1482 = getelementptr inbounds nuw i8, ptr %1455, i64 12
  %1483 = load float, ptr %1482, align 4
  %1484 = insertelement <8 x float> poison, float %1483, i64 0
  %1485 = fneg float %1483
  %1486 = insertelement <8 x float> poison, float %1485, i64 0
  %1487 = shufflevector <8 x float> %1486, <8 x float> poison, <8 x i32> zeroinitializer
  %1488 = fmul <8 x float> %1477, %1487
  %1489 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1476, <8 x float> %1481, <8 x float> %1488)
  %1490 = shufflevector <8 x float> %1484, <8 x float> poison, <8 x i32> zeroinitializer
  %1491 = fmul <8 x float> %1476, %1490
  %1492 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1477, <8 x float> %1481, <8 x float> %1491)
  store <8 x float> %1489, ptr %1426, align 32
  store <8 x float> %1492, ptr %1432, align 32
  %1493 = fsub <8 x float> %1443, %1451
  %1494 = fsub <8 x float> %1445, %1453
  %1495 = getelementptr inbounds nuw i8, ptr %1455, i64 16
  %1496 = load float, ptr %1495, align 4
  %1497 = insertelement <8 x float> poison, float %1496, i64 0
  %1498 = shufflevector <8 x float> %1497, <8 x float> poison, <8 x i32> zeroinitializer
  %1499 = getelementptr inbounds nuw i8, ptr %1455, i64 20
  %1500 = load float, ptr %1499, align 4
  %1501 = insertelement <8 x float> poison, float %1500, i64 0
  %1502 = fneg float %1500
  %1503 = insertelement <8 x float> poison, float %1502, i64 0
  %1504 = shufflevector <8 x float> %1503, <8 x float> poison, <8 x i32> zeroinitializer
  %1505 = fmul <8 x float> %1494, %1504
  %1506 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1493, <8 x float> %1498, <8 x float> %1505)
  %1507 = shufflevector <8 x float> %1501, <8 x float> poison, <8 x i32> zeroinitializer
  %1508 = fmul <8 x float> %1493, %1507
  %1509 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1494, <8 x float> %1498, <8 x float> %1508)
  store <8 x float> %1506, ptr %1427, align 32
  store <8 x float> %1509, ptr %1429, align 32
  %1510 = fsub <8 x float> %1439, %1447
  %1511 = fsub <8 x float> %1441, %1449
  %1512 = getelementptr inbounds nuw i8, ptr %1455, i64 24
  %1513 = load float, ptr %1512, align 4
  %1514 = insertelement <8 x float> poison, float %1513, i64 0
  %1515 = shufflevector <8 x float> %1514, <8 x float> poison, <8 x i32> zeroinitializer
  %1516 = getelementptr inbounds nuw i8, ptr %1455, i64 28
  %1517 = load float, ptr %1516, align 4
  %1518 = insertelement <8 x float> poison, float %1517, i64 0
  %1519 = fneg float %1517
  %1520 = insertelement <8 x float> poison, float %1519, i64 0
  %1521 = shufflevector <8 x float> %1520, <8 x float> poison, <8 x i32> zeroinitializer
  %1522 = fmul <8 x float> %1511, %1521
  %1523 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1510, <8 x float> %1515, <8 x float> %1522)
  %1524 = shufflevector <8 x float> %1518, <8 x float> poison, <8 x i32> zeroinitializer
  %1525 = fmul <8 x float> %1510, %1524
  %1526 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1511, <8 x float> %1515, <8 x float> %1525)
  store <8 x float> %1523, ptr %1414, align 32
  store <8 x float> %1526, ptr %1416, align 32
  %1527 = add nuw nsw i64 %1408, 1
  %1528 = icmp eq i64 %1527, %1394
  br i1 %1528, label %1404, label %1407

1529:
  br i1 %873, label %1530, label %1624

1530:
  br i1 %866, label %1531, label %1840

1531:
  %1532 = phi i64 [ %1622, %1531 ], [ 0, %1530 ]
  %1533 = getelementptr inbounds nuw %struct.Complex_f32, ptr %811, i64 %1532
  %1534 = getelementptr inbounds nuw i8, ptr %1533, i64 64
  %1535 = getelementptr inbounds nuw i8, ptr %1533, i64 320
  %1536 = load <8 x float>, ptr %1535, align 32
  %1537 = getelementptr inbounds nuw i8, ptr %1533, i64 352
  %1538 = load <8 x float>, ptr %1537, align 32
  %1539 = load <8 x float>, ptr %1534, align 32
  %1540 = getelementptr inbounds nuw i8, ptr %1533, i64 96
  %1541 = load <8 x float>, ptr %1540, align 32
  %1542 = fsub <8 x float> %1539, %1536
  %1543 = fsub <8 x float> %1541, %1538
  %1544 = getelementptr inbounds nuw i8, ptr %1533, i64 192
  %1545 = getelementptr inbounds nuw i8, ptr %1533, i64 448
  %1546 = load <8 x float>, ptr %1545, align 32
  %1547 = getelementptr inbounds nuw i8, ptr %1533, i64 480
  %1548 = load <8 x float>, ptr %1547, align 32
  %1549 = load <8 x float>, ptr %1544, align 32
  %1550 = getelementptr inbounds nuw i8, ptr %1533, i64 224
  %1551 = load <8 x float>, ptr %1550, align 32
  %1552 = fsub <8 x float> %1549, %1546
  %1553 = fsub <8 x float> %1551, %1548
  %1554 = fadd <8 x float> %1542, %1543
  %1555 = fmul <8 x float> %1554, splat (float 0x3FE6A09E60000000)
  %1556 = fsub <8 x float> %1543, %1542
  %1557 = fmul <8 x float> %1556, splat (float 0x3FE6A09E60000000)
  %1558 = fsub <8 x float> %1553, %1552
  %1559 = fmul <8 x float> %1558, splat (float 0x3FE6A09E60000000)
  %1560 = fneg <8 x float> %1552
  %1561 = fsub <8 x float> %1560, %1553
  %1562 = fmul <8 x float> %1561, splat (float 0x3FE6A09E60000000)
  %1563 = getelementptr inbounds nuw i8, ptr %1533, i64 256
  %1564 = load <8 x float>, ptr %1563, align 32
  %1565 = getelementptr inbounds nuw i8, ptr %1533, i64 288
  %1566 = load <8 x float>, ptr %1565, align 32
  %1567 = load <8 x float>, ptr %1533, align 32
  %1568 = getelementptr inbounds nuw i8, ptr %1533, i64 32
  %1569 = load <8 x float>, ptr %1568, align 32
  %1570 = fsub <8 x float> %1567, %1564
  %1571 = fsub <8 x float> %1569, %1566
  %1572 = getelementptr inbounds nuw i8, ptr %1533, i64 128
  %1573 = getelementptr inbounds nuw i8, ptr %1533, i64 384
  %1574 = load <8 x float>, ptr %1573, align 32
  %1575 = getelementptr inbounds nuw i8, ptr %1533, i64 416
  %1576 = load <8 x float>, ptr %1575, align 32
  %1577 = load <8 x float>, ptr %1572, align 32
  %1578 = getelementptr inbounds nuw i8, ptr %1533, i64 160
  %1579 = load <8 x float>, ptr %1578, align 32
  %1580 = fsub <8 x float> %1577, %1574
  %1581 = fsub <8 x float> %1579, %1576
  %1582 = fadd <8 x float> %1570, %1581
  %1583 = fsub <8 x float> %1571, %1580
  %1584 = fsub <8 x float> %1570, %1581
  %1585 = fadd <8 x float> %1571, %1580
  %1586 = fadd <8 x float> %1555, %1559
  %1587 = fadd <8 x float> %1557, %1562
  %1588 = fsub <8 x float> %1555, %1559
  %1589 = fsub <8 x float> %1557, %1562
  %1590 = fadd <8 x float> %1586, %1582
  %1591 = fadd <8 x float> %1587, %1583
  %1592 = fadd <8 x float> %1589, %1584
  %1593 = fsub <8 x float> %1585, %1588
  %1594 = fsub <8 x float> %1582, %1586
  %1595 = fsub <8 x float> %1583, %1587
  %1596 = fsub <8 x float> %1584, %1589
  %1597 = fadd <8 x float> %1588, %1585
  %1598 = fadd <8 x float> %1564, %1567
  %1599 = fadd <8 x float> %1566, %1569
  %1600 = fadd <8 x float> %1536, %1539
  %1601 = fadd <8 x float> %1538, %1541
  %1602 = fadd <8 x float> %1574, %1577
  %1603 = fadd <8 x float> %1576, %1579
  %1604 = fadd <8 x float> %1546, %1549
  %1605 = fadd <8 x float> %1548, %1551
  %1606 = fadd <8 x float> %1598, %1602
  %1607 = fadd <8 x float> %1599, %1603
  %1608 = fsub <8 x float> %1598, %1602
  %1609 = fsub <8 x float> %1599, %1603
  %1610 = fadd <8 x float> %1600, %1604
  %1611 = fadd <8 x float> %1601, %1605
  %1612 = fsub <8 x float> %1600, %1604
  %1613 = fsub <8 x float> %1601, %1605
  %1614 = fadd <8 x float> %1610, %1606
  %1615 = fadd <8 x float> %1611, %1607
  %1616 = fadd <8 x float> %1613, %1608
  %1617 = fsub <8 x float> %1609, %1612
  %1618 = fsub <8 x float> %1606, %1610
  %1619 = fsub <8 x float> %1607, %1611
  %1620 = fsub <8 x float> %1608, %1613
  %1621 = fadd <8 x float> %1612, %1609
  store <8 x float> %1614, ptr %1533, align 32
  store <8 x float> %1615, ptr %1568, align 32
  store <8 x float> %1590, ptr %1534, align 32
  store <8 x float> %1591, ptr %1540, align 32
  store <8 x float> %1616, ptr %1572, align 32
  store <8 x float> %1617, ptr %1578, align 32
  store <8 x float> %1592, ptr %1544, align 32
  store <8 x float> %1593, ptr %1550, align 32
  store <8 x float> %1618, ptr %1563, align 32
  store <8 x float> %1619, ptr %1565, align 32
  store <8 x float> %1594, ptr %1535, align 32
  store <8 x float> %1595, ptr %1537, align 32
  store <8 x float> %1620, ptr %1573, align 32
  store <8 x float> %1621, ptr %1575, align 32
  store <8 x float> %1596, ptr %1545, align 32
  store <8 x float> %1597, ptr %1547, align 32
  %1622 = add nuw nsw i64 %1532, 8
  %1623 = icmp slt i64 %1622, %861
  br i1 %1623, label %1531, label %1840

1624:
  %1625 = sdiv i64 %868, 8
  br i1 %866, label %1626, label %1840

1626:
  %1627 = icmp sgt i64 %868, 7
  %1628 = mul nsw i64 %1625, 320
  %1629 = mul nsw i64 %1625, 192
  %1630 = mul nsw i64 %1625, 448
  %1631 = shl nsw i64 %1625, 8
  %1632 = shl nsw i64 %1625, 7
  %1633 = mul nsw i64 %1625, 384
  br label %1634

1634:
  %1635 = phi i64 [ 0, %1626 ], [ %1639, %1638 ]
  br i1 %1627, label %1636, label %1638

1636:
  %1637 = getelementptr inbounds %struct.Complex_f32, ptr %811, i64 %1635
  br label %1641

1638:
  %1639 = add i64 %1635, %868
  %1640 = icmp slt i64 %1639, %861
  br i1 %1640, label %1634, label %1840

1641:
  %1642 = phi i64 [ 0, %1636 ], [ %1838, %1641 ]
  %1643 = getelementptr inbounds nuw %struct.Complex_f32, ptr %1637, i64 %1642
  %1644 = mul i64 %1642, 56
  %1645 = getelementptr inbounds i8, ptr %869, i64 %1644
  %1646 = getelementptr inbounds nuw %struct.Complex_f32, ptr %1643, i64 %1625
  %1647 = getelementptr inbounds nuw i8, ptr %1643, i64 %1628
  %1648 = load <8 x float>, ptr %1647, align 32
  %1649 = getelementptr inbounds nuw i8, ptr %1647, i64 32
  %1650 = load <8 x float>, ptr %1649, align 32
  %1651 = load <8 x float>, ptr %1646, align 32
  %1652 = getelementptr inbounds nuw i8, ptr %1646, i64 32
  %1653 = load <8 x float>, ptr %1652, align 32
  %1654 = fsub <8 x float> %1651, %1648
  %1655 = fsub <8 x float> %1653, %1650
  %1656 = getelementptr inbounds nuw i8, ptr %1643, i64 %1629
  %1657 = getelementptr inbounds nuw i8, ptr %1643, i64 %1630
  %1658 = load <8 x float>, ptr %1657, align 32
  %1659 = getelementptr inbounds nuw i8, ptr %1657, i64 32
  %1660 = load <8 x float>, ptr %1659, align 32
  %1661 = load <8 x float>, ptr %1656, align 32
  %1662 = getelementptr inbounds nuw i8, ptr %1656, i64 32
  %1663 = load <8 x float>, ptr %1662, align 32
  %1664 = fsub <8 x float> %1661, %1658
  %1665 = fsub <8 x float> %1663, %1660
  %1666 = fadd <8 x float> %1654, %1655
  %1667 = fmul <8 x float> %1666, splat (float 0x3FE6A09E60000000)
  %1668 = fsub <8 x float> %1655, %1654
  %1669 = fmul <8 x float> %1668, splat (float 0x3FE6A09E60000000)
  %1670 = fsub <8 x float> %1665, %1664
  %1671 = fmul <8 x float> %1670, splat (float 0x3FE6A09E60000000)
  %1672 = fneg <8 x float> %1664
  %1673 = fsub <8 x float> %1672, %1665
  %1674 = fmul <8 x float> %1673, splat (float 0x3FE6A09E60000000)
  %1675 = getelementptr inbounds nuw i8, ptr %1643, i64 %1631
  %1676 = load <8 x float>, ptr %1675, align 32
  %1677 = getelementptr inbounds nuw i8, ptr %1675, i64 32
  %1678 = load <8 x float>, ptr %1677, align 32
  %1679 = load <8 x float>, ptr %1643, align 32
  %1680 = getelementptr inbounds nuw i8, ptr %1643, i64 32
  %1681 = load <8 x float>, ptr %1680, align 32
  %1682 = fsub <8 x float> %1679, %1676
  %1683 = fsub <8 x float> %1681, %1678
  %1684 = getelementptr inbounds nuw i8, ptr %1643, i64 %1632
  %1685 = getelementptr inbounds nuw i8, ptr %1643, i64 %1633
  %1686 = load <8 x float>, ptr %1685, align 32
  %1687 = getelementptr inbounds nuw i8, ptr %1685, i64 32
  %1688 = load <8 x float>, ptr %1687, align 32
  %1689 = load <8 x float>, ptr %1684, align 32
  %1690 = getelementptr inbounds nuw i8, ptr %1684, i64 32
  %1691 = load <8 x float>, ptr %1690, align 32
  %1692 = fsub <8 x float> %1689, %1686
  %1693 = fsub <8 x float> %1691, %1688
  %1694 = fadd <8 x float> %1682, %1693
  %1695 = fsub <8 x float> %1683, %1692
  %1696 = fsub <8 x float> %1682, %1693
  %1697 = fadd <8 x float> %1683, %1692
  %1698 = fadd <8 x float> %1667, %1671
  %1699 = fadd <8 x float> %1669, %1674
  %1700 = fsub <8 x float> %1667, %1671
  %1701 = fsub <8 x float> %1669, %1674
  %1702 = fadd <8 x float> %1698, %1694
  %1703 = fadd <8 x float> %1699, %1695
  %1704 = fadd <8 x float> %1701, %1696
  %1705 = fsub <8 x float> %1697, %1700
  %1706 = fsub <8 x float> %1694, %1698
  %1707 = fsub <8 x float> %1695, %1699
  %1708 = fsub <8 x float> %1696, %1701
  %1709 = fadd <8 x float> %1700, %1697
  %1710 = fadd <8 x float> %1676, %1679
  %1711 = fadd <8 x float> %1678, %1681
  %1712 = fadd <8 x float> %1648, %1651
  %1713 = fadd <8 x float> %1650, %1653
  %1714 = fadd <8 x float> %1686, %1689
  %1715 = fadd <8 x float> %1688, %1691
  %1716 = fadd <8 x float> %1658, %1661
  %1717 = fadd <8 x float> %1660, %1663
  %1718 = fadd <8 x float> %1710, %1714
  %1719 = fadd <8 x float> %1711, %1715
  %1720 = fsub <8 x float> %1710, %1714
  %1721 = fsub <8 x float> %1711, %1715
  %1722 = fadd <8 x float> %1712, %1716
  %1723 = fadd <8 x float> %1713, %1717
  %1724 = fsub <8 x float> %1712, %1716
  %1725 = fsub <8 x float> %1713, %1717
  %1726 = fadd <8 x float> %1722, %1718
  %1727 = fadd <8 x float> %1723, %1719
  %1728 = fadd <8 x float> %1725, %1720
  %1729 = fsub <8 x float> %1721, %1724
  %1730 = fsub <8 x float> %1718, %1722
  %1731 = fsub <8 x float> %1719, %1723
  %1732 = fsub <8 x float> %1720, %1725
  %1733 = fadd <8 x float> %1724, %1721
  store <8 x float> %1726, ptr %1643, align 32
  store <8 x float> %1727, ptr %1680, align 32
  %1734 = load float, ptr %1645, align 4
  %1735 = insertelement <8 x float> poison, float %1734, i64 0
  %1736 = shufflevector <8 x float> %1735, <8 x float> poison, <8 x i32> zeroinitializer
  %1737 = getelementptr inbounds nuw i8, ptr %1645, i64 4
  %1738 = load float, ptr %1737, align 4
  %1739 = insertelement <8 x float> poison, float %1738, i64 0
  %1740 = fneg float %1738
  %1741 = insertelement <8 x float> poison, float %1740, i64 0
  %1742 = shufflevector <8 x float> %1741, <8 x float> poison, <8 x i32> zeroinitializer
  %1743 = fmul <8 x float> %1703, %1742
  %1744 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1702, <8 x float> %1736, <8 x float> %1743)
  %1745 = shufflevector <8 x float> %1739, <8 x float> poison, <8 x i32> zeroinitializer
  %1746 = fmul <8 x float> %1702, %1745
  %1747 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1703, <8 x float> %1736, <8 x float> %1746)
  store <8 x float> %1744, ptr %1646, align 32
  store <8 x float> %1747, ptr %1652, align 32
  %1748 = getelementptr inbounds nuw i8, ptr %1645, i64 8
  %1749 = load float, ptr %1748, align 4
  %1750 = insertelement <8 x float> poison, float %1749, i64 0
  %1751 = shufflevector <8 x float> %1750, <8 x float> poison, <8 x i32> zeroinitializer
  %1752 = getelementptr inbounds nuw i8, ptr %1645, i64 12
  %1753 = load float, ptr %1752, align 4
  %1754 = insertelement <8 x float> poison, float %1753, i64 0
  %1755 = fneg float %1753
  %1756 = insertelement <8 x float> poison, float %1755, i64 0
  %1757 = shufflevector <8 x float> %1756, <8 x float> poison, <8 x i32> zeroinitializer
  %1758 = fmul <8 x float> %1729, %1757
  %1759 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1728, <8 x float> %1751, <8 x float> %1758)
  %1760 = shufflevector <8 x float> %1754, <8 x float> poison, <8 x i32> zeroinitializer
  %1761 = fmul <8 x float> %1728, %1760
  %1762 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1729, <8 x float> %1751, <8 x float> %1761)
  store <8 x float> %1759, ptr %1684, align 32
  store <8 x float> %1762, ptr %1690, align 32
  %1763 = getelementptr inbounds nuw i8, ptr %1645, i64 16
  %1764 = load float, ptr %1763, align 4
  %1765 = insertelement <8 x float> poison, float %1764, i64 0
  %1766 = shufflevector <8 x float> %1765, <8 x float> poison, <8 x i32> zeroinitializer
  %1767 = getelementptr inbounds nuw i8, ptr %1645, i64 20
  %1768 = load float, ptr %1767, align 4
  %1769 = insertelement <8 x float> poison, float %1768, i64 0
  %1770 = fneg float %1768
  %1771 = insertelement <8 x float> poison, float %1770, i64 0
  %1772 = shufflevector <8 x float> %1771, <8 x float> poison, <8 x i32> zeroinitializer
  %1773 = fmul <8 x float> %1705, %1772
  %1774 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1704, <8 x float> %1766, <8 x float> %1773)
  %1775 = shufflevector <8 x float> %1769, <8 x float> poison, <8 x i32> zeroinitializer
  %1776 = fmul <8 x float> %1704, %1775
  %1777 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1705, <8 x float> %1766, <8 x float> %1776)
  store <8 x float> %1774, ptr %1656, align 32
  store <8 x float> %1777, ptr %1662, align 32
  %1778 = getelementptr inbounds nuw i8, ptr %1645, i64 24
  %1779 = load float, ptr %1778, align 4
  %1780 = insertelement <8 x float> poison, float %1779, i64 0
  %1781 = shufflevector <8 x float> %1780, <8 x float> poison, <8 x i32> zeroinitializer
  %1782 = getelementptr inbounds nuw i8, ptr %1645, i64 28
  %1783 = load float, ptr %1782, align 4
  %1784 = insertelement <8 x float> poison, float %1783, i64 0
  %1785 = fneg float %1783
  %1786 = insertelement <8 x float> poison, float %1785, i64 0
  %1787 = shufflevector <8 x float> %1786, <8 x float> poison, <8 x i32> zeroinitializer
  %1788 = fmul <8 x float> %1731, %1787
  %1789 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1730, <8 x float> %1781, <8 x float> %1788)
  %1790 = shufflevector <8 x float> %1784, <8 x float> poison, <8 x i32> zeroinitializer
  %1791 = fmul <8 x float> %1730, %1790
  %1792 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1731, <8 x float> %1781, <8 x float> %1791)
  store <8 x float> %1789, ptr %1675, align 32
  store <8 x float> %1792, ptr %1677, align 32
  %1793 = getelementptr inbounds nuw i8, ptr %1645, i64 32
  %1794 = load float, ptr %1793, align 4
  %1795 = insertelement <8 x float> poison, float %1794, i64 0
  %1796 = shufflevector <8 x float> %1795, <8 x float> poison, <8 x i32> zeroinitializer
  %1797 = getelementptr inbounds nuw i8, ptr %1645, i64 36
  %1798 = load float, ptr %1797, align 4
  %1799 = insertelement <8 x float> poison, float %1798, i64 0
  %1800 = fneg float %1798
  %1801 = insertelement <8 x float> poison, float %1800, i64 0
  %1802 = shufflevector <8 x float> %1801, <8 x float> poison, <8 x i32> zeroinitializer
  %1803 = fmul <8 x float> %1707, %1802
  %1804 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1706, <8 x float> %1796, <8 x float> %1803)
  %1805 = shufflevector <8 x float> %1799, <8 x float> poison, <8 x i32> zeroinitializer
  %1806 = fmul <8 x float> %1706, %1805
  %1807 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1707, <8 x float> %1796, <8 x float> %1806)
  store <8 x float> %1804, ptr %1647, align 32
  store <8 x float> %1807, ptr %1649, align 32
  %1808 = getelementptr inbounds nuw i8, ptr %1645, i64 40
  %1809 = load float, ptr %1808, align 4
  %1810 = insertelement <8 x float> poison, float %1809, i64 0
  %1811 = shufflevector <8 x float> %1810, <8 x float> poison, <8 x i32> zeroinitializer
  %1812 = getelementptr inbounds nuw i8, ptr %1645, i64 44
  %1813 = load float, ptr %1812, align 4
  %1814 = insertelement <8 x float> poison, float %1813, i64 0
  %1815 = fneg float %1813
  %1816 = insertelement <8 x float> poison, float %1815, i64 0
  %1817 = shufflevector <8 x float> %1816, <8 x float> poison, <8 x i32> zeroinitializer
  %1818 = fmul <8 x float> %1733, %1817
  %1819 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1732, <8 x float> %1811, <8 x float> %1818)
  %1820 = shufflevector <8 x float> %1814, <8 x float> poison, <8 x i32> zeroinitializer
  %1821 = fmul <8 x float> %1732, %1820
  %1822 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1733, <8 x float> %1811, <8 x float> %1821)
  store <8 x float> %1819, ptr %1685, align 32
  store <8 x float> %1822, ptr %1687, align 32
  %1823 = getelementptr inbounds nuw i8, ptr %1645, i64 48
  %1824 = load float, ptr %1823, align 4
  %1825 = insertelement <8 x float> poison, float %1824, i64 0
  %1826 = shufflevector <8 x float> %1825, <8 x float> poison, <8 x i32> zeroinitializer
  %1827 = getelementptr inbounds nuw i8, ptr %1645, i64 52
  %1828 = load float, ptr %1827, align 4
  %1829 = insertelement <8 x float> poison, float %1828, i64 0
  %1830 = fneg float %1828
  %1831 = insertelement <8 x float> poison, float %1830, i64 0
  %1832 = shufflevector <8 x float> %1831, <8 x float> poison, <8 x i32> zeroinitializer
  %1833 = fmul <8 x float> %1709, %1832
  %1834 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1708, <8 x float> %1826, <8 x float> %1833)
  %1835 = shufflevector <8 x float> %1829, <8 x float> poison, <8 x i32> zeroinitializer
  %1836 = fmul <8 x float> %1708, %1835
  %1837 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1709, <8 x float> %1826, <8 x float> %1836)
  store <8 x float> %1834, ptr %1657, align 32
  store <8 x float> %1837, ptr %1659, align 32
  %1838 = add nuw nsw i64 %1642, 1
  %1839 = icmp eq i64 %1838, %1625
  br i1 %1839, label %1638, label %1641

1840:
  %1841 = phi ptr [ %869, %1030 ], [ %869, %1393 ], [ %869, %1530 ], [ %869, %1624 ], [ %869, %1032 ], [ %869, %1049 ], [ %869, %1093 ], [ %869, %1124 ], [ %869, %1198 ], [ %869, %1235 ], [ %869, %1331 ], [ %879, %877 ], [ %869, %1033 ], [ %869, %1057 ], [ %869, %1094 ], [ %869, %1133 ], [ %869, %1199 ], [ %869, %1245 ], [ %869, %1332 ], [ %869, %1404 ], [ %869, %1531 ], [ %879, %893 ], [ %869, %1638 ]
  %1842 = sdiv i64 %868, %872
  %1843 = shl i64 %872, 1
  %1844 = add i64 %1843, -2
  %1845 = mul i64 %1842, %1844
  %1846 = getelementptr inbounds float, ptr %1841, i64 %1845
  %1847 = add nuw nsw i64 %870, 1
  %1848 = load i64, ptr %373, align 8
  %1849 = icmp slt i64 %1847, %1848
  br i1 %1849, label %867, label %1850

1850:
  %1851 = load i64, ptr %370, align 8
  %1852 = icmp eq i64 %1851, 1
  br i1 %1852, label %1853, label %1917

1853:
  %1854 = load i64, ptr %371, align 8
  %1855 = load ptr, ptr %376, align 8
  %1856 = load ptr, ptr %372, align 8
  %1857 = load <8 x float>, ptr %811, align 32
  %1858 = getelementptr inbounds nuw i8, ptr %811, i64 32
  %1859 = load <8 x float>, ptr %1858, align 32
  %1860 = fadd <8 x float> %1857, %1859
  store <8 x float> %1860, ptr %811, align 32
  store <8 x float> zeroinitializer, ptr %1858, align 32
  %1861 = getelementptr inbounds %struct.Complex_f32, ptr %811, i64 %1854
  %1862 = fsub <8 x float> %1857, %1859
  store <8 x float> %1862, ptr %1861, align 32
  %1863 = getelementptr inbounds nuw i8, ptr %1861, i64 32
  store <8 x float> zeroinitializer, ptr %1863, align 32
  %1864 = icmp slt i64 %1854, 2
  br i1 %1864, label %1917, label %1865

1865:
  %1866 = phi i64 [ %1915, %1865 ], [ 2, %1853 ]
  %1867 = phi i64 [ %1914, %1865 ], [ 1, %1853 ]
  %1868 = getelementptr inbounds i32, ptr %1855, i64 %1867
  %1869 = load i32, ptr %1868, align 4
  %1870 = sext i32 %1869 to i64
  %1871 = getelementptr inbounds %struct.Complex_f32, ptr %811, i64 %1870
  %1872 = load <8 x float>, ptr %1871, align 32
  %1873 = getelementptr inbounds nuw i8, ptr %1871, i64 32
  %1874 = load <8 x float>, ptr %1873, align 32
  %1875 = sub i64 %1854, %1867
  %1876 = getelementptr inbounds i32, ptr %1855, i64 %1875
  %1877 = load i32, ptr %1876, align 4
  %1878 = sext i32 %1877 to i64
  %1879 = getelementptr inbounds %struct.Complex_f32, ptr %811, i64 %1878
  %1880 = load <8 x float>, ptr %1879, align 32
  %1881 = getelementptr inbounds nuw i8, ptr %1879, i64 32
  %1882 = load <8 x float>, ptr %1881, align 32
  %1883 = fadd <8 x float> %1872, %1880
  %1884 = fsub <8 x float> %1874, %1882
  %1885 = fmul <8 x float> %1883, splat (float 5.000000e-01)
  %1886 = fmul <8 x float> %1884, splat (float 5.000000e-01)
  %1887 = fadd <8 x float> %1874, %1882
  %1888 = fmul <8 x float> %1887, splat (float 5.000000e-01)
  %1889 = fsub <8 x float> %1880, %1872
  %1890 = fmul <8 x float> %1889, splat (float 5.000000e-01)
  %1891 = getelementptr inbounds float, ptr %1856, i64 %1866
  %1892 = load float, ptr %1891, align 4
  %1893 = insertelement <8 x float> poison, float %1892, i64 0
  %1894 = shufflevector <8 x float> %1893, <8 x float> poison, <8 x i32> zeroinitializer
  %1895 = getelementptr inbounds nuw i8, ptr %1891, i64 4
  %1896 = load float, ptr %1895, align 4
  %1897 = insertelement <8 x float> poison, float %1896, i64 0
  %1898 = fneg float %1896
  %1899 = insertelement <8 x float> poison, float %1898, i64 0
  %1900 = shufflevector <8 x float> %1899, <8 x float> poison, <8 x i32> zeroinitializer
  %1901 = fmul <8 x float> %1890, %1900
  %1902 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1888, <8 x float> %1894, <8 x float> %1901)
  %1903 = shufflevector <8 x float> %1897, <8 x float> poison, <8 x i32> zeroinitializer
  %1904 = fmul <8 x float> %1888, %1903
  %1905 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1890, <8 x float> %1894, <8 x float> %1904)
  %1906 = fadd <8 x float> %1885, %1902
  %1907 = fadd <8 x float> %1886, %1905
  store <8 x float> %1906, ptr %1871, align 32
  store <8 x float> %1907, ptr %1873, align 32
  %1908 = load i32, ptr %1876, align 4
  %1909 = sext i32 %1908 to i64
  %1910 = getelementptr inbounds %struct.Complex_f32, ptr %811, i64 %1909
  %1911 = fsub <8 x float> %1885, %1902
  %1912 = fsub <8 x float> %1905, %1886
  store <8 x float> %1911, ptr %1910, align 32
  %1913 = getelementptr inbounds nuw i8, ptr %1910, i64 32
  store <8 x float> %1912, ptr %1913, align 32
  %1914 = add i64 %1867, 1
  %1915 = shl i64 %1914, 1
  %1916 = icmp sgt i64 %1915, %1854
  br i1 %1916, label %1917, label %1865

1917:
  %1918 = add nuw nsw i64 %808, 1
  %1919 = icmp eq i64 %808, %378
  br i1 %1919, label %403, label %807

1920:
  br label %2031

1921:
  %1922 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %1923 = load i64, ptr %1922, align 8
  %1924 = shl i64 %59, 8
  %1925 = add i64 %1924, 256
  %1926 = sdiv i64 %1923, 2
  %1927 = add nsw i64 %1926, 1
  %1928 = tail call i64 @llvm.smin.i64(i64 %1925, i64 %1927)
  %1929 = getelementptr inbounds nuw i8, ptr %0, i64 240
  %1930 = load ptr, ptr %1929, align 8
  %1931 = getelementptr inbounds nuw i8, ptr %0, i64 248
  %1932 = load ptr, ptr %1931, align 8
  %1933 = shl i64 %59, 3
  %1934 = getelementptr inbounds i8, ptr %1932, i64 %1933
  %1935 = icmp slt i64 %1924, %1928
  br i1 %1935, label %1936, label %2031

1936:
  %1937 = getelementptr inbounds nuw i8, ptr %1934, i64 4
  %1938 = getelementptr inbounds nuw i8, ptr %57, i64 4
  %1939 = shl i64 %1923, 3
  %1940 = getelementptr inbounds i8, ptr %57, i64 %1939
  %1941 = getelementptr i8, ptr %1940, i64 4
  br label %1942

1942:
  %1943 = phi i64 [ %1924, %1936 ], [ %2029, %2028 ]
  %1944 = sub i64 %1923, %1943
  %1945 = shl i64 %1943, 1
  %1946 = getelementptr inbounds float, ptr %45, i64 %1945
  %1947 = load float, ptr %1946, align 4
  %1948 = or disjoint i64 %1945, 1
  %1949 = getelementptr inbounds float, ptr %45, i64 %1948
  %1950 = load float, ptr %1949, align 4
  %1951 = sub i64 %1943, %1924
  %1952 = shl i64 %1951, 3
  %1953 = getelementptr inbounds i8, ptr %1930, i64 %1952
  %1954 = load float, ptr %1953, align 4
  %1955 = load float, ptr %1934, align 4
  %1956 = getelementptr inbounds nuw i8, ptr %1953, i64 4
  %1957 = load float, ptr %1956, align 4
  %1958 = load float, ptr %1937, align 4
  %1959 = fneg float %1958
  %1960 = fmul float %1957, %1959
  %1961 = tail call float @llvm.fmuladd.f32(float %1954, float %1955, float %1960)
  %1962 = fmul float %1955, %1957
  %1963 = tail call float @llvm.fmuladd.f32(float %1954, float %1958, float %1962)
  %1964 = load i64, ptr %0, align 8
  %1965 = icmp eq i64 %1964, 1
  br i1 %1965, label %1966, label %1999

1966:
  %1967 = icmp eq i64 %1943, 0
  br i1 %1967, label %1968, label %1971

1968:
  %1969 = fadd float %1947, %1950
  store float %1969, ptr %57, align 4
  store float 0.000000e+00, ptr %1938, align 4
  %1970 = fsub float %1947, %1950
  store float %1970, ptr %1940, align 4
  store float 0.000000e+00, ptr %1941, align 4
  br label %2028

1971:
  %1972 = shl i64 %1944, 1
  %1973 = getelementptr inbounds float, ptr %45, i64 %1972
  %1974 = load float, ptr %1973, align 4
  %1975 = or disjoint i64 %1972, 1
  %1976 = getelementptr inbounds float, ptr %45, i64 %1975
  %1977 = load float, ptr %1976, align 4
  %1978 = fadd float %1947, %1974
  %1979 = fmul float %1978, 5.000000e-01
  %1980 = fsub float %1950, %1977
  %1981 = fmul float %1980, 5.000000e-01
  %1982 = fadd float %1950, %1977
  %1983 = fmul float %1982, 5.000000e-01
  %1984 = fsub float %1974, %1947
  %1985 = fmul float %1984, 5.000000e-01
  %1986 = fneg float %1963
  %1987 = fmul float %1985, %1986
  %1988 = tail call float @llvm.fmuladd.f32(float %1983, float %1961, float %1987)
  %1989 = fmul float %1963, %1983
  %1990 = tail call float @llvm.fmuladd.f32(float %1985, float %1961, float %1989)
  %1991 = fadd float %1979, %1988
  %1992 = getelementptr inbounds float, ptr %57, i64 %1945
  store float %1991, ptr %1992, align 4
  %1993 = fadd float %1981, %1990
  %1994 = getelementptr inbounds float, ptr %57, i64 %1948
  store float %1993, ptr %1994, align 4
  %1995 = fsub float %1979, %1988
  %1996 = getelementptr inbounds float, ptr %57, i64 %1972
  store float %1995, ptr %1996, align 4
  %1997 = fsub float %1990, %1981
  %1998 = getelementptr inbounds float, ptr %57, i64 %1975
  store float %1997, ptr %1998, align 4
  br label %2028

1999:
  %2000 = shl i64 %1944, 1
  %2001 = getelementptr inbounds float, ptr %45, i64 %2000
  %2002 = load float, ptr %2001, align 4
  %2003 = icmp eq i64 %1943, 0
  br i1 %2003, label %2004, label %2007

2004:
  %2005 = fsub float %1947, %2002
  store float %2005, ptr %57, align 4
  %2006 = fadd float %1947, %2002
  store float %2006, ptr %1938, align 4
  br label %2028

2007:
  %2008 = or disjoint i64 %2000, 1
  %2009 = getelementptr inbounds float, ptr %45, i64 %2008
  %2010 = load float, ptr %2009, align 4
  %2011 = fadd float %1947, %2002
  %2012 = fsub float %1950, %2010
  %2013 = fsub float %1947, %2002
  %2014 = fadd float %1950, %2010
  %2015 = fmul float %1963, %2014
  %2016 = tail call float @llvm.fmuladd.f32(float %2013, float %1961, float %2015)
  %2017 = fneg float %1963
  %2018 = fmul float %2013, %2017
  %2019 = tail call float @llvm.fmuladd.f32(float %2014, float %1961, float %2018)
  %2020 = fadd float %2012, %2016
  %2021 = getelementptr inbounds float, ptr %57, i64 %1945
  store float %2020, ptr %2021, align 4
  %2022 = fsub float %2011, %2019
  %2023 = getelementptr inbounds float, ptr %57, i64 %1948
  store float %2022, ptr %2023, align 4
  %2024 = fsub float %2016, %2012
  %2025 = getelementptr inbounds float, ptr %57, i64 %2000
  store float %2024, ptr %2025, align 4
  %2026 = fadd float %2011, %2019
  %2027 = getelementptr inbounds float, ptr %57, i64 %2008
  store float %2026, ptr %2027, align 4
  br label %2028

2028:
  %2029 = add nsw i64 %1943, 1
  %2030 = icmp eq i64 %2029, %1928
  br i1 %2030, label %2031, label %1942

2031:
  ret void
}

define void @transform_f64(ptr %0, i64 %1, i64 %2, i64 %3) nounwind {
  %5 = alloca [4 x ptr], align 16
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 48
  %7 = load ptr, ptr %6, align 8
  %8 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %9 = load ptr, ptr %8, align 8
  %10 = getelementptr inbounds nuw i8, ptr %7, i64 16
  %11 = load i64, ptr %10, align 8
  %12 = icmp sgt i64 %11, 1
  br i1 %12, label %13, label %24

13:
  %14 = phi i64 [ %22, %18 ], [ 0, %4 ]
  %15 = getelementptr inbounds i32, ptr %9, i64 %14
  %16 = atomicrmw xchg ptr %15, i32 1 acquire, align 4
  %17 = icmp eq i32 %16, 0
  br i1 %17, label %24, label %18

18:
  %19 = add i64 %14, 1
  %20 = load i64, ptr %10, align 8
  %21 = icmp slt i64 %19, %20
  %22 = select i1 %21, i64 %19, i64 0
  %23 = icmp sgt i64 %20, 1
  br i1 %23, label %13, label %24

24:
  %25 = phi i64 [ 0, %4 ], [ %22, %18 ], [ %14, %13 ]
  %26 = load ptr, ptr %0, align 8
  store ptr %26, ptr %5, align 16
  %27 = getelementptr inbounds nuw i8, ptr %5, i64 8
  %28 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %29 = load ptr, ptr %28, align 8
  store ptr %29, ptr %27, align 8
  %30 = getelementptr inbounds nuw i8, ptr %5, i64 16
  %31 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %32 = load ptr, ptr %31, align 8
  %33 = getelementptr inbounds nuw i8, ptr %7, i64 32
  %34 = load i64, ptr %33, align 8
  %35 = mul i64 %34, %25
  %36 = getelementptr inbounds i8, ptr %32, i64 %35
  store ptr %36, ptr %30, align 16
  %37 = getelementptr inbounds nuw i8, ptr %5, i64 24
  %38 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %39 = load ptr, ptr %38, align 8
  %40 = getelementptr inbounds nuw i8, ptr %7, i64 40
  %41 = load i64, ptr %40, align 8
  %42 = mul i64 %41, %25
  %43 = getelementptr inbounds i8, ptr %39, i64 %42
  store ptr %43, ptr %37, align 8
  %44 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %45 = load ptr, ptr %44, align 8
  %46 = getelementptr inbounds nuw i8, ptr %7, i64 24
  %47 = load i64, ptr %46, align 8
  %48 = mul i64 %47, %25
  %49 = getelementptr inbounds i8, ptr %45, i64 %48
  %50 = icmp slt i64 %1, %2
  br i1 %50, label %51, label %54

51:
  %52 = getelementptr inbounds nuw i8, ptr %7, i64 8
  %53 = getelementptr inbounds nuw i8, ptr %7, i64 48
  br label %57

54:
  %55 = load i64, ptr %10, align 8
  %56 = icmp sgt i64 %55, 1
  br i1 %56, label %108, label %110

57:
  %58 = phi i64 [ %1, %51 ], [ %106, %105 ]
  %59 = load i64, ptr %52, align 8
  %60 = icmp eq i64 %59, 0
  br i1 %60, label %61, label %64

61:
  %62 = load i64, ptr %7, align 8
  %63 = icmp sgt i64 %62, 0
  br i1 %63, label %68, label %105

64:
  %65 = load ptr, ptr %53, align 8
  %66 = sdiv i64 %58, %59
  %67 = srem i64 %58, %59
  call fastcc void @step_f64(ptr %65, i64 %66, i64 %67, ptr %5, ptr %49)
  br label %105

68:
  %69 = phi i64 [ %97, %96 ], [ %62, %61 ]
  %70 = phi i64 [ %98, %96 ], [ 0, %61 ]
  %71 = getelementptr inbounds nuw ptr, ptr %53, i64 %70
  %72 = load ptr, ptr %71, align 8
  %73 = getelementptr inbounds nuw i8, ptr %72, i64 16
  %74 = load i64, ptr %73, align 8
  %75 = load i64, ptr %72, align 8
  %76 = icmp eq i64 %75, 0
  br i1 %76, label %77, label %85

77:
  %78 = getelementptr inbounds nuw i8, ptr %72, i64 24
  %79 = load i64, ptr %78, align 8
  %80 = add i64 %79, -1
  %81 = getelementptr inbounds nuw i8, ptr %72, i64 40
  %82 = load i64, ptr %81, align 8
  %83 = shl i64 %82, 2
  %84 = sdiv i64 %80, %83
  br label %89

85:
  %86 = getelementptr inbounds nuw i8, ptr %72, i64 8
  %87 = load i64, ptr %86, align 8
  %88 = sdiv i64 %87, 512
  br label %89

89:
  %90 = phi i64 [ %84, %77 ], [ %88, %85 ]
  %91 = add i64 %90, 1
  %92 = mul i64 %91, %74
  %93 = icmp sgt i64 %92, 0
  br i1 %93, label %100, label %96

94:
  %95 = load i64, ptr %7, align 8
  br label %96

96:
  %97 = phi i64 [ %95, %94 ], [ %69, %89 ]
  %98 = add nuw nsw i64 %70, 1
  %99 = icmp slt i64 %98, %97
  br i1 %99, label %68, label %105

100:
  %101 = phi i64 [ %103, %100 ], [ 0, %89 ]
  %102 = load ptr, ptr %71, align 8
  call fastcc void @step_f64(ptr %102, i64 %58, i64 %101, ptr %5, ptr %49)
  %103 = add nuw nsw i64 %101, 1
  %104 = icmp eq i64 %103, %92
  br i1 %104, label %94, label %100

105:
  %106 = add nsw i64 %58, 1
  %107 = icmp eq i64 %106, %2
  br i1 %107, label %54, label %57

108:
  %109 = getelementptr inbounds i32, ptr %9, i64 %25
  store atomic i32 0, ptr %109 release, align 4
  br label %110

110:
  ret void
}

define internal fastcc void @step_f64(ptr %0, i64 %1, i64 %2, ptr %3, ptr %4) nounwind {
  %6 = alloca [8 x %struct.Complex_f64], align 32
  %7 = alloca [8 x %struct.Complex_f64], align 32
  %8 = alloca [32 x i64], align 16
  %9 = alloca [32 x i64], align 16
  %10 = load i64, ptr %0, align 8
  %11 = icmp eq i64 %10, 0
  br i1 %11, label %12, label %20

12:
  %13 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %14 = load i64, ptr %13, align 8
  %15 = add i64 %14, -1
  %16 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %17 = load i64, ptr %16, align 8
  %18 = shl i64 %17, 2
  %19 = sdiv i64 %15, %18
  br label %24

20:
  %21 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %22 = load i64, ptr %21, align 8
  %23 = sdiv i64 %22, 512
  br label %24

24:
  %25 = phi i64 [ %19, %12 ], [ %23, %20 ]
  %26 = add i64 %25, 1
  %27 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %28 = load i64, ptr %27, align 8
  %29 = icmp eq i64 %28, 1
  br i1 %29, label %32, label %30

30:
  %31 = sdiv i64 %2, %26
  br label %32

32:
  %33 = phi i64 [ %31, %30 ], [ 0, %24 ]
  %34 = getelementptr inbounds nuw i8, ptr %0, i64 56
  %35 = load i64, ptr %34, align 8
  %36 = getelementptr inbounds ptr, ptr %3, i64 %35
  %37 = load ptr, ptr %36, align 8
  %38 = getelementptr inbounds nuw i8, ptr %0, i64 112
  %39 = load i64, ptr %38, align 8
  %40 = mul i64 %39, %1
  %41 = getelementptr inbounds double, ptr %37, i64 %40
  %42 = getelementptr inbounds nuw i8, ptr %0, i64 120
  %43 = load i64, ptr %42, align 8
  %44 = mul i64 %43, %33
  %45 = getelementptr inbounds double, ptr %41, i64 %44
  %46 = getelementptr inbounds nuw i8, ptr %0, i64 64
  %47 = load i64, ptr %46, align 8
  %48 = getelementptr inbounds ptr, ptr %3, i64 %47
  %49 = load ptr, ptr %48, align 8
  %50 = getelementptr inbounds nuw i8, ptr %0, i64 160
  %51 = load i64, ptr %50, align 8
  %52 = mul i64 %51, %1
  %53 = getelementptr inbounds double, ptr %49, i64 %52
  %54 = getelementptr inbounds nuw i8, ptr %0, i64 168
  %55 = load i64, ptr %54, align 8
  %56 = mul i64 %55, %33
  %57 = getelementptr inbounds double, ptr %53, i64 %56
  %58 = mul i64 %33, %26
  %59 = sub i64 %2, %58
  br i1 %11, label %60, label %1782

60:
  %61 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %62 = load i64, ptr %61, align 8
  %63 = shl i64 %62, 2
  %64 = mul i64 %63, %59
  %65 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %66 = load i64, ptr %65, align 8
  %67 = sub i64 %66, %64
  %68 = tail call i64 @llvm.smin.i64(i64 %63, i64 %67)
  %69 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %70 = load i64, ptr %69, align 8
  %71 = icmp sgt i64 %63, 0
  br i1 %71, label %72, label %87

72:
  %73 = sdiv i64 %64, %70
  %74 = mul i64 %73, %70
  %75 = srem i64 %64, %70
  %76 = getelementptr inbounds nuw i8, ptr %0, i64 128
  %77 = load i64, ptr %76, align 8
  %78 = getelementptr inbounds nuw i8, ptr %0, i64 136
  %79 = load i64, ptr %78, align 8
  %80 = getelementptr inbounds nuw i8, ptr %0, i64 176
  %81 = load i64, ptr %80, align 8
  %82 = getelementptr inbounds nuw i8, ptr %0, i64 184
  %83 = load i64, ptr %82, align 8
  %84 = add i64 %68, -1
  br label %299

85:
  %86 = load i64, ptr %8, align 16
  br label %87

87:
  %88 = phi i64 [ %86, %85 ], [ undef, %60 ]
  %89 = getelementptr inbounds nuw i8, ptr %0, i64 72
  %90 = load i64, ptr %89, align 8
  %91 = getelementptr inbounds nuw i8, ptr %0, i64 48
  %92 = load i64, ptr %91, align 8
  %93 = getelementptr inbounds nuw i8, ptr %0, i64 144
  %94 = load i64, ptr %93, align 8
  %95 = getelementptr inbounds nuw i8, ptr %0, i64 152
  %96 = load i64, ptr %95, align 8
  %97 = getelementptr inbounds nuw i8, ptr %0, i64 96
  %98 = load i64, ptr %97, align 8
  %99 = icmp eq i64 %98, 0
  %100 = add i64 %63, -1
  %101 = getelementptr inbounds i64, ptr %8, i64 %100
  %102 = load i64, ptr %101, align 8
  %103 = sub i64 %102, %88
  %104 = icmp sle i64 %63, %67
  %105 = icmp eq i64 %96, 1
  %106 = select i1 %104, i1 %105, i1 false
  br i1 %106, label %107, label %143

107:
  %108 = getelementptr inbounds nuw i8, ptr %0, i64 136
  %109 = load i64, ptr %108, align 8
  %110 = icmp eq i64 %109, 2
  %111 = shl i64 %100, 1
  %112 = icmp eq i64 %103, %111
  %113 = select i1 %110, i1 %112, i1 false
  br i1 %113, label %114, label %179

114:
  %115 = icmp sgt i64 %90, 0
  br i1 %115, label %116, label %287

116:
  %117 = getelementptr inbounds double, ptr %45, i64 %88
  %118 = icmp sgt i64 %62, 0
  br label %119

119:
  %120 = phi ptr [ %117, %116 ], [ %125, %123 ]
  %121 = phi i64 [ 0, %116 ], [ %124, %123 ]
  %122 = getelementptr %struct.Complex_f64, ptr %4, i64 %121
  br i1 %118, label %127, label %123

123:
  %124 = add nuw nsw i64 %121, 1
  %125 = getelementptr inbounds double, ptr %120, i64 %94
  %126 = icmp eq i64 %124, %90
  br i1 %126, label %287, label %119

127:
  %128 = phi i64 [ %141, %127 ], [ 0, %119 ]
  %129 = mul i64 %128, %92
  %130 = getelementptr %struct.Complex_f64, ptr %122, i64 %129
  %131 = shl i64 %128, 6
  %132 = getelementptr inbounds i8, ptr %120, i64 %131
  %133 = load <4 x double>, ptr %132, align 8
  %134 = getelementptr inbounds nuw i8, ptr %132, i64 32
  %135 = load <4 x double>, ptr %134, align 8
  %136 = shufflevector <4 x double> %133, <4 x double> %135, <4 x i32> <i32 0, i32 2, i32 4, i32 6>
  %137 = shufflevector <4 x double> %133, <4 x double> %135, <4 x i32> <i32 1, i32 3, i32 5, i32 7>
  %138 = select i1 %99, <4 x double> %136, <4 x double> %137
  %139 = select i1 %99, <4 x double> %137, <4 x double> %136
  store <4 x double> %138, ptr %130, align 32
  %140 = getelementptr inbounds nuw i8, ptr %130, i64 32
  store <4 x double> %139, ptr %140, align 32
  %141 = add nuw nsw i64 %128, 1
  %142 = icmp eq i64 %141, %62
  br i1 %142, label %123, label %127

143:
  %144 = icmp ne i64 %96, 1
  %145 = select i1 %104, i1 %144, i1 false
  br i1 %145, label %146, label %179

146:
  %147 = getelementptr inbounds nuw i8, ptr %0, i64 136
  %148 = load i64, ptr %147, align 8
  %149 = icmp eq i64 %148, 1
  %150 = icmp eq i64 %103, %100
  %151 = select i1 %149, i1 %150, i1 false
  br i1 %151, label %152, label %179

152:
  %153 = icmp sgt i64 %90, 0
  br i1 %153, label %154, label %287

154:
  %155 = getelementptr inbounds double, ptr %45, i64 %88
  %156 = icmp sgt i64 %62, 0
  br label %157

157:
  %158 = phi ptr [ %155, %154 ], [ %163, %161 ]
  %159 = phi i64 [ 0, %154 ], [ %162, %161 ]
  %160 = getelementptr %struct.Complex_f64, ptr %4, i64 %159
  br i1 %156, label %165, label %161

161:
  %162 = add nuw nsw i64 %159, 1
  %163 = getelementptr inbounds double, ptr %158, i64 %94
  %164 = icmp eq i64 %162, %90
  br i1 %164, label %287, label %157

165:
  %166 = phi i64 [ %177, %165 ], [ 0, %157 ]
  %167 = shl i64 %166, 5
  %168 = getelementptr inbounds i8, ptr %158, i64 %167
  %169 = mul i64 %166, %92
  %170 = getelementptr %struct.Complex_f64, ptr %160, i64 %169
  %171 = load <4 x double>, ptr %168, align 8
  %172 = getelementptr inbounds double, ptr %168, i64 %96
  %173 = load <4 x double>, ptr %172, align 8
  %174 = select i1 %99, <4 x double> %171, <4 x double> %173
  %175 = select i1 %99, <4 x double> %173, <4 x double> %171
  store <4 x double> %174, ptr %170, align 32
  %176 = getelementptr inbounds nuw i8, ptr %170, i64 32
  store <4 x double> %175, ptr %176, align 32
  %177 = add nuw nsw i64 %166, 1
  %178 = icmp eq i64 %177, %62
  br i1 %178, label %161, label %165

179:
  %180 = icmp sgt i64 %68, 0
  br i1 %180, label %181, label %323

181:
  %182 = icmp ne i64 %94, 2
  %183 = xor i1 %105, true
  %184 = select i1 %183, i1 true, i1 %182
  %185 = icmp slt i64 %90, 2
  %186 = select i1 %184, i1 true, i1 %185
  %187 = select i1 %99, i64 0, i64 4
  %188 = select i1 %99, i64 4, i64 0
  %189 = select i1 %99, i64 1, i64 5
  %190 = select i1 %99, i64 5, i64 1
  %191 = select i1 %99, i64 2, i64 6
  %192 = select i1 %99, i64 6, i64 2
  %193 = select i1 %99, i64 3, i64 7
  %194 = select i1 %99, i64 7, i64 3
  %195 = add nsw i64 %68, -1
  %196 = lshr i64 %195, 2
  br label %197

197:
  %198 = phi ptr [ %8, %181 ], [ %284, %282 ]
  %199 = phi i64 [ 0, %181 ], [ %283, %282 ]
  %200 = phi ptr [ %4, %181 ], [ %285, %282 ]
  br i1 %186, label %240, label %201

201:
  %202 = getelementptr inbounds nuw i8, ptr %198, i64 8
  %203 = getelementptr inbounds nuw i8, ptr %198, i64 16
  %204 = getelementptr inbounds nuw i8, ptr %198, i64 24
  %205 = load i64, ptr %202, align 8
  %206 = load i64, ptr %203, align 8
  %207 = load i64, ptr %204, align 8
  %208 = load i64, ptr %198, align 8
  br label %209

209:
  %210 = phi i64 [ %238, %209 ], [ 2, %201 ]
  %211 = phi i64 [ %210, %209 ], [ 0, %201 ]
  %212 = shl i64 %211, 4
  %213 = getelementptr i8, ptr %45, i64 %212
  %214 = getelementptr double, ptr %213, i64 %208
  %215 = load <4 x double>, ptr %214, align 8
  %216 = getelementptr double, ptr %213, i64 %205
  %217 = load <4 x double>, ptr %216, align 8
  %218 = getelementptr double, ptr %213, i64 %206
  %219 = load <4 x double>, ptr %218, align 8
  %220 = getelementptr double, ptr %213, i64 %207
  %221 = load <4 x double>, ptr %220, align 8
  %222 = shufflevector <4 x double> %215, <4 x double> %217, <4 x i32> <i32 0, i32 4, i32 2, i32 6>
  %223 = shufflevector <4 x double> %215, <4 x double> %217, <4 x i32> <i32 1, i32 5, i32 3, i32 7>
  %224 = shufflevector <4 x double> %219, <4 x double> %221, <4 x i32> <i32 0, i32 4, i32 2, i32 6>
  %225 = shufflevector <4 x double> %219, <4 x double> %221, <4 x i32> <i32 1, i32 5, i32 3, i32 7>
  %226 = shufflevector <4 x double> %222, <4 x double> %224, <4 x i32> <i32 0, i32 1, i32 4, i32 5>
  %227 = shufflevector <4 x double> %222, <4 x double> %224, <4 x i32> <i32 2, i32 3, i32 6, i32 7>
  %228 = shufflevector <4 x double> %223, <4 x double> %225, <4 x i32> <i32 0, i32 1, i32 4, i32 5>
  %229 = shufflevector <4 x double> %223, <4 x double> %225, <4 x i32> <i32 2, i32 3, i32 6, i32 7>
  %230 = getelementptr %struct.Complex_f64, ptr %200, i64 %211
  %231 = select i1 %99, <4 x double> %228, <4 x double> %226
  %232 = select i1 %99, <4 x double> %226, <4 x double> %228
  store <4 x double> %232, ptr %230, align 32
  %233 = getelementptr inbounds nuw i8, ptr %230, i64 32
  store <4 x double> %231, ptr %233, align 32
  %234 = getelementptr i8, ptr %230, i64 64
  %235 = select i1 %99, <4 x double> %229, <4 x double> %227
  %236 = select i1 %99, <4 x double> %227, <4 x double> %229
  store <4 x double> %236, ptr %234, align 32
  %237 = getelementptr i8, ptr %230, i64 96
  store <4 x double> %235, ptr %237, align 32
  %238 = add i64 %210, 2
  %239 = icmp sgt i64 %238, %90
  br i1 %239, label %240, label %209

240:
  %241 = phi i64 [ 0, %197 ], [ %210, %209 ]
  %242 = icmp slt i64 %241, %90
  br i1 %242, label %243, label %282

243:
  %244 = getelementptr inbounds nuw i8, ptr %198, i64 8
  %245 = getelementptr inbounds nuw i8, ptr %198, i64 16
  %246 = getelementptr inbounds nuw i8, ptr %198, i64 24
  %247 = load i64, ptr %244, align 8
  %248 = load i64, ptr %245, align 8
  %249 = load i64, ptr %246, align 8
  %250 = load i64, ptr %198, align 8
  br label %251

251:
  %252 = phi i64 [ %280, %251 ], [ %241, %243 ]
  %253 = getelementptr inbounds %struct.Complex_f64, ptr %200, i64 %252
  %254 = mul i64 %252, %94
  %255 = getelementptr double, ptr %45, i64 %254
  %256 = getelementptr double, ptr %255, i64 %250
  %257 = load double, ptr %256, align 8
  %258 = getelementptr inbounds nuw double, ptr %253, i64 %187
  store double %257, ptr %258, align 8
  %259 = getelementptr inbounds double, ptr %256, i64 %96
  %260 = load double, ptr %259, align 8
  %261 = getelementptr inbounds nuw double, ptr %253, i64 %188
  store double %260, ptr %261, align 8
  %262 = getelementptr double, ptr %255, i64 %247
  %263 = load double, ptr %262, align 8
  %264 = getelementptr inbounds nuw double, ptr %253, i64 %189
  store double %263, ptr %264, align 8
  %265 = getelementptr inbounds double, ptr %262, i64 %96
  %266 = load double, ptr %265, align 8
  %267 = getelementptr inbounds nuw double, ptr %253, i64 %190
  store double %266, ptr %267, align 8
  %268 = getelementptr double, ptr %255, i64 %248
  %269 = load double, ptr %268, align 8
  %270 = getelementptr inbounds nuw double, ptr %253, i64 %191
  store double %269, ptr %270, align 8
  %271 = getelementptr inbounds double, ptr %268, i64 %96
  %272 = load double, ptr %271, align 8
  %273 = getelementptr inbounds nuw double, ptr %253, i64 %192
  store double %272, ptr %273, align 8
  %274 = getelementptr double, ptr %255, i64 %249
  %275 = load double, ptr %274, align 8
  %276 = getelementptr inbounds nuw double, ptr %253, i64 %193
  store double %275, ptr %276, align 8
  %277 = getelementptr inbounds double, ptr %274, i64 %96
  %278 = load double, ptr %277, align 8
  %279 = getelementptr inbounds nuw double, ptr %253, i64 %194
  store double %278, ptr %279, align 8
  %280 = add nsw i64 %252, 1
  %281 = icmp eq i64 %280, %90
  br i1 %281, label %282, label %251

282:
  %283 = add nuw nsw i64 %199, 1
  %284 = getelementptr inbounds nuw i8, ptr %198, i64 32
  %285 = getelementptr inbounds %struct.Complex_f64, ptr %200, i64 %92
  %286 = icmp eq i64 %199, %196
  br i1 %286, label %287, label %197

287:
  %288 = icmp sgt i64 %68, 0
  br i1 %288, label %289, label %323

289:
  %290 = getelementptr inbounds nuw i8, ptr %0, i64 88
  %291 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %292 = getelementptr inbounds nuw i8, ptr %0, i64 232
  %293 = getelementptr inbounds nuw i8, ptr %0, i64 256
  %294 = getelementptr inbounds nuw i8, ptr %0, i64 216
  %295 = getelementptr inbounds nuw i8, ptr %0, i64 264
  %296 = getelementptr inbounds nuw i8, ptr %0, i64 224
  %297 = add nsw i64 %68, -1
  %298 = lshr i64 %297, 2
  br label %668

299:
  %300 = phi i64 [ %73, %72 ], [ %320, %318 ]
  %301 = phi i64 [ 0, %72 ], [ %321, %318 ]
  %302 = phi i64 [ %75, %72 ], [ %319, %318 ]
  %303 = mul i64 %300, %77
  %304 = mul i64 %302, %79
  %305 = add i64 %304, %303
  %306 = getelementptr inbounds nuw i64, ptr %8, i64 %301
  store i64 %305, ptr %306, align 8
  %307 = mul i64 %300, %81
  %308 = mul i64 %302, %83
  %309 = add i64 %308, %307
  %310 = getelementptr inbounds nuw i64, ptr %9, i64 %301
  store i64 %309, ptr %310, align 8
  %311 = icmp slt i64 %301, %84
  br i1 %311, label %312, label %318

312:
  %313 = add i64 %302, 1
  %314 = icmp eq i64 %313, %70
  %315 = select i1 %314, i64 0, i64 %313
  %316 = zext i1 %314 to i64
  %317 = add i64 %300, %316
  br label %318

318:
  %319 = phi i64 [ %302, %299 ], [ %315, %312 ]
  %320 = phi i64 [ %300, %299 ], [ %317, %312 ]
  %321 = add nuw nsw i64 %301, 1
  %322 = icmp eq i64 %321, %63
  br i1 %322, label %85, label %299

323:
  %324 = phi i1 [ false, %179 ], [ false, %287 ], [ true, %1778 ]
  %325 = load i64, ptr %61, align 8
  %326 = getelementptr inbounds nuw i8, ptr %0, i64 80
  %327 = load i64, ptr %326, align 8
  %328 = load i64, ptr %91, align 8
  %329 = getelementptr inbounds nuw i8, ptr %0, i64 192
  %330 = load i64, ptr %329, align 8
  %331 = getelementptr inbounds nuw i8, ptr %0, i64 200
  %332 = load i64, ptr %331, align 8
  %333 = shl i64 %325, 2
  %334 = getelementptr inbounds nuw i8, ptr %0, i64 224
  %335 = load ptr, ptr %334, align 8
  %336 = getelementptr inbounds nuw i8, ptr %0, i64 104
  %337 = load i64, ptr %336, align 8
  %338 = icmp eq i64 %337, 0
  %339 = getelementptr inbounds nuw i8, ptr %0, i64 208
  %340 = load double, ptr %339, align 8
  %341 = add i64 %333, -1
  %342 = getelementptr inbounds i64, ptr %9, i64 %341
  %343 = load i64, ptr %342, align 8
  %344 = load i64, ptr %9, align 16
  %345 = sub i64 %343, %344
  %346 = getelementptr inbounds nuw i8, ptr %0, i64 240
  %347 = load ptr, ptr %346, align 8
  %348 = getelementptr inbounds nuw i8, ptr %0, i64 248
  %349 = load ptr, ptr %348, align 8
  %350 = shl i64 %59, 1
  %351 = mul i64 %350, %325
  %352 = mul i64 %351, %327
  %353 = getelementptr inbounds double, ptr %349, i64 %352
  %354 = icmp ne ptr %347, null
  %355 = icmp eq i64 %68, %333
  %356 = and i1 %355, %354
  br i1 %356, label %357, label %418

357:
  %358 = icmp sgt i64 %327, 0
  br i1 %358, label %359, label %1781

359:
  %360 = getelementptr inbounds double, ptr %57, i64 %344
  %361 = icmp sgt i64 %325, 0
  br label %362

362:
  %363 = phi ptr [ %360, %359 ], [ %372, %370 ]
  %364 = phi i64 [ 0, %359 ], [ %371, %370 ]
  br i1 %361, label %365, label %370

365:
  %366 = getelementptr inbounds nuw i32, ptr %335, i64 %364
  %367 = shl i64 %364, 6
  %368 = getelementptr inbounds i8, ptr %347, i64 %367
  %369 = getelementptr inbounds nuw i8, ptr %368, i64 32
  br label %374

370:
  %371 = add nuw nsw i64 %364, 1
  %372 = getelementptr inbounds double, ptr %363, i64 %330
  %373 = icmp eq i64 %371, %327
  br i1 %373, label %1781, label %362

374:
  %375 = phi i64 [ 0, %365 ], [ %416, %374 ]
  %376 = mul i64 %375, %328
  %377 = load i32, ptr %366, align 4
  %378 = sext i32 %377 to i64
  %379 = getelementptr %struct.Complex_f64, ptr %4, i64 %376
  %380 = getelementptr %struct.Complex_f64, ptr %379, i64 %378
  %381 = mul i64 %375, %327
  %382 = add i64 %381, %364
  %383 = shl i64 %382, 4
  %384 = getelementptr inbounds i8, ptr %353, i64 %383
  %385 = load <4 x double>, ptr %380, align 32
  %386 = getelementptr inbounds nuw i8, ptr %380, i64 32
  %387 = load <4 x double>, ptr %386, align 32
  %388 = load <4 x double>, ptr %368, align 8
  %389 = load <4 x double>, ptr %369, align 8
  %390 = load double, ptr %384, align 8
  %391 = insertelement <4 x double> poison, double %390, i64 0
  %392 = shufflevector <4 x double> %391, <4 x double> poison, <4 x i32> zeroinitializer
  %393 = getelementptr inbounds nuw i8, ptr %384, i64 8
  %394 = load double, ptr %393, align 8
  %395 = insertelement <4 x double> poison, double %394, i64 0
  %396 = fneg double %394
  %397 = insertelement <4 x double> poison, double %396, i64 0
  %398 = shufflevector <4 x double> %397, <4 x double> poison, <4 x i32> zeroinitializer
  %399 = fmul <4 x double> %389, %398
  %400 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %388, <4 x double> %392, <4 x double> %399)
  %401 = shufflevector <4 x double> %395, <4 x double> poison, <4 x i32> zeroinitializer
  %402 = fmul <4 x double> %388, %401
  %403 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %389, <4 x double> %392, <4 x double> %402)
  %404 = fneg <4 x double> %403
  %405 = fmul <4 x double> %387, %404
  %406 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %385, <4 x double> %400, <4 x double> %405)
  %407 = fmul <4 x double> %385, %403
  %408 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %387, <4 x double> %400, <4 x double> %407)
  %409 = shl i64 %375, 6
  %410 = getelementptr inbounds i8, ptr %363, i64 %409
  %411 = select i1 %338, <4 x double> %406, <4 x double> %408
  %412 = select i1 %338, <4 x double> %408, <4 x double> %406
  %413 = shufflevector <4 x double> %411, <4 x double> %412, <4 x i32> <i32 0, i32 4, i32 1, i32 5>
  store <4 x double> %413, ptr %410, align 8
  %414 = shufflevector <4 x double> %411, <4 x double> %412, <4 x i32> <i32 2, i32 6, i32 3, i32 7>
  %415 = getelementptr inbounds nuw i8, ptr %410, i64 32
  store <4 x double> %414, ptr %415, align 8
  %416 = add nuw nsw i64 %375, 1
  %417 = icmp eq i64 %416, %325
  br i1 %417, label %370, label %374

418:
  %419 = and i1 %324, %354
  br i1 %419, label %420, label %471

420:
  %421 = icmp sgt i64 %327, 0
  %422 = add nsw i64 %68, -1
  %423 = lshr i64 %422, 2
  br label %424

424:
  %425 = phi i64 [ 0, %420 ], [ %431, %430 ]
  br i1 %421, label %426, label %430

426:
  %427 = mul i64 %425, %328
  %428 = getelementptr inbounds %struct.Complex_f64, ptr %4, i64 %427
  %429 = mul i64 %425, %327
  br label %433

430:
  %431 = add nuw nsw i64 %425, 1
  %432 = icmp eq i64 %425, %423
  br i1 %432, label %471, label %424

433:
  %434 = phi i64 [ 0, %426 ], [ %469, %433 ]
  %435 = getelementptr inbounds nuw i32, ptr %335, i64 %434
  %436 = load i32, ptr %435, align 4
  %437 = sext i32 %436 to i64
  %438 = getelementptr inbounds %struct.Complex_f64, ptr %428, i64 %437
  %439 = shl i64 %434, 6
  %440 = getelementptr inbounds i8, ptr %347, i64 %439
  %441 = add i64 %434, %429
  %442 = shl i64 %441, 4
  %443 = getelementptr inbounds i8, ptr %353, i64 %442
  %444 = load <4 x double>, ptr %438, align 32
  %445 = getelementptr inbounds nuw i8, ptr %438, i64 32
  %446 = load <4 x double>, ptr %445, align 32
  %447 = load <4 x double>, ptr %440, align 8
  %448 = getelementptr inbounds nuw i8, ptr %440, i64 32
  %449 = load <4 x double>, ptr %448, align 8
  %450 = load double, ptr %443, align 8
  %451 = insertelement <4 x double> poison, double %450, i64 0
  %452 = shufflevector <4 x double> %451, <4 x double> poison, <4 x i32> zeroinitializer
  %453 = getelementptr inbounds nuw i8, ptr %443, i64 8
  %454 = load double, ptr %453, align 8
  %455 = insertelement <4 x double> poison, double %454, i64 0
  %456 = fneg double %454
  %457 = insertelement <4 x double> poison, double %456, i64 0
  %458 = shufflevector <4 x double> %457, <4 x double> poison, <4 x i32> zeroinitializer
  %459 = fmul <4 x double> %449, %458
  %460 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %447, <4 x double> %452, <4 x double> %459)
  %461 = shufflevector <4 x double> %455, <4 x double> poison, <4 x i32> zeroinitializer
  %462 = fmul <4 x double> %447, %461
  %463 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %449, <4 x double> %452, <4 x double> %462)
  %464 = fneg <4 x double> %463
  %465 = fmul <4 x double> %446, %464
  %466 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %444, <4 x double> %460, <4 x double> %465)
  %467 = fmul <4 x double> %444, %463
  %468 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %446, <4 x double> %460, <4 x double> %467)
  store <4 x double> %466, ptr %438, align 32
  store <4 x double> %468, ptr %445, align 32
  %469 = add nuw nsw i64 %434, 1
  %470 = icmp eq i64 %469, %327
  br i1 %470, label %430, label %433

471:
  %472 = icmp eq i64 %332, 1
  %473 = select i1 %355, i1 %472, i1 false
  br i1 %473, label %474, label %518

474:
  %475 = getelementptr inbounds nuw i8, ptr %0, i64 184
  %476 = load i64, ptr %475, align 8
  %477 = icmp eq i64 %476, 2
  %478 = shl i64 %341, 1
  %479 = icmp eq i64 %345, %478
  %480 = select i1 %477, i1 %479, i1 false
  br i1 %480, label %481, label %562

481:
  %482 = icmp sgt i64 %327, 0
  br i1 %482, label %483, label %1781

483:
  %484 = getelementptr inbounds double, ptr %57, i64 %344
  %485 = icmp sgt i64 %325, 0
  %486 = insertelement <4 x double> poison, double %340, i64 0
  %487 = shufflevector <4 x double> %486, <4 x double> poison, <4 x i32> zeroinitializer
  br label %488

488:
  %489 = phi ptr [ %484, %483 ], [ %495, %493 ]
  %490 = phi i64 [ 0, %483 ], [ %494, %493 ]
  br i1 %485, label %491, label %493

491:
  %492 = getelementptr inbounds nuw i32, ptr %335, i64 %490
  br label %497

493:
  %494 = add nuw nsw i64 %490, 1
  %495 = getelementptr inbounds double, ptr %489, i64 %330
  %496 = icmp eq i64 %494, %327
  br i1 %496, label %1781, label %488

497:
  %498 = phi i64 [ 0, %491 ], [ %516, %497 ]
  %499 = shl i64 %498, 6
  %500 = getelementptr inbounds i8, ptr %489, i64 %499
  %501 = mul i64 %498, %328
  %502 = load i32, ptr %492, align 4
  %503 = sext i32 %502 to i64
  %504 = getelementptr %struct.Complex_f64, ptr %4, i64 %501
  %505 = getelementptr %struct.Complex_f64, ptr %504, i64 %503
  %506 = load <4 x double>, ptr %505, align 32
  %507 = getelementptr inbounds nuw i8, ptr %505, i64 32
  %508 = load <4 x double>, ptr %507, align 32
  %509 = fmul <4 x double> %487, %506
  %510 = fmul <4 x double> %487, %508
  %511 = select i1 %338, <4 x double> %509, <4 x double> %510
  %512 = select i1 %338, <4 x double> %510, <4 x double> %509
  %513 = shufflevector <4 x double> %511, <4 x double> %512, <4 x i32> <i32 0, i32 4, i32 1, i32 5>
  store <4 x double> %513, ptr %500, align 8
  %514 = shufflevector <4 x double> %511, <4 x double> %512, <4 x i32> <i32 2, i32 6, i32 3, i32 7>
  %515 = getelementptr inbounds nuw i8, ptr %500, i64 32
  store <4 x double> %514, ptr %515, align 8
  %516 = add nuw nsw i64 %498, 1
  %517 = icmp eq i64 %516, %325
  br i1 %517, label %493, label %497

518:
  %519 = icmp ne i64 %332, 1
  %520 = select i1 %355, i1 %519, i1 false
  br i1 %520, label %521, label %562

521:
  %522 = getelementptr inbounds nuw i8, ptr %0, i64 184
  %523 = load i64, ptr %522, align 8
  %524 = icmp eq i64 %523, 1
  %525 = icmp eq i64 %345, %341
  %526 = select i1 %524, i1 %525, i1 false
  br i1 %526, label %527, label %562

527:
  %528 = icmp sgt i64 %327, 0
  br i1 %528, label %529, label %1781

529:
  %530 = getelementptr inbounds double, ptr %57, i64 %344
  %531 = icmp sgt i64 %325, 0
  %532 = insertelement <4 x double> poison, double %340, i64 0
  %533 = shufflevector <4 x double> %532, <4 x double> poison, <4 x i32> zeroinitializer
  br label %534

534:
  %535 = phi ptr [ %530, %529 ], [ %541, %539 ]
  %536 = phi i64 [ 0, %529 ], [ %540, %539 ]
  br i1 %531, label %537, label %539

537:
  %538 = getelementptr inbounds nuw i32, ptr %335, i64 %536
  br label %543

539:
  %540 = add nuw nsw i64 %536, 1
  %541 = getelementptr inbounds double, ptr %535, i64 %330
  %542 = icmp eq i64 %540, %327
  br i1 %542, label %1781, label %534

543:
  %544 = phi i64 [ 0, %537 ], [ %560, %543 ]
  %545 = mul i64 %544, %328
  %546 = load i32, ptr %538, align 4
  %547 = sext i32 %546 to i64
  %548 = getelementptr %struct.Complex_f64, ptr %4, i64 %545
  %549 = getelementptr %struct.Complex_f64, ptr %548, i64 %547
  %550 = load <4 x double>, ptr %549, align 32
  %551 = getelementptr inbounds nuw i8, ptr %549, i64 32
  %552 = load <4 x double>, ptr %551, align 32
  %553 = fmul <4 x double> %533, %550
  %554 = fmul <4 x double> %533, %552
  %555 = select i1 %338, <4 x double> %553, <4 x double> %554
  %556 = select i1 %338, <4 x double> %554, <4 x double> %553
  %557 = shl i64 %544, 5
  %558 = getelementptr inbounds i8, ptr %535, i64 %557
  store <4 x double> %555, ptr %558, align 8
  %559 = getelementptr inbounds double, ptr %558, i64 %332
  store <4 x double> %556, ptr %559, align 8
  %560 = add nuw nsw i64 %544, 1
  %561 = icmp eq i64 %560, %325
  br i1 %561, label %539, label %543

562:
  br i1 %324, label %563, label %1781

563:
  %564 = icmp ne i64 %330, 2
  %565 = xor i1 %472, true
  %566 = select i1 %565, i1 true, i1 %564
  %567 = icmp slt i64 %327, 2
  %568 = insertelement <4 x double> poison, double %340, i64 0
  %569 = shufflevector <4 x double> %568, <4 x double> poison, <4 x i32> zeroinitializer
  %570 = select i1 %566, i1 true, i1 %567
  br label %571

571:
  %572 = phi ptr [ %9, %563 ], [ %665, %663 ]
  %573 = phi i64 [ %68, %563 ], [ %664, %663 ]
  %574 = phi ptr [ %4, %563 ], [ %666, %663 ]
  %575 = tail call i64 @llvm.umin.i64(i64 %573, i64 4)
  br i1 %570, label %632, label %576

576:
  %577 = icmp samesign ugt i64 %573, 1
  %578 = getelementptr inbounds nuw i8, ptr %572, i64 8
  %579 = icmp samesign ugt i64 %573, 2
  %580 = getelementptr inbounds nuw i8, ptr %572, i64 16
  %581 = icmp samesign ugt i64 %573, 3
  %582 = getelementptr inbounds nuw i8, ptr %572, i64 24
  %583 = load i64, ptr %572, align 8
  br label %584

584:
  %585 = phi i64 [ %630, %629 ], [ 2, %576 ]
  %586 = phi i64 [ %585, %629 ], [ 0, %576 ]
  %587 = getelementptr i32, ptr %335, i64 %586
  %588 = load i32, ptr %587, align 4
  %589 = sext i32 %588 to i64
  %590 = getelementptr inbounds %struct.Complex_f64, ptr %574, i64 %589
  %591 = load <4 x double>, ptr %590, align 32
  %592 = getelementptr inbounds nuw i8, ptr %590, i64 32
  %593 = load <4 x double>, ptr %592, align 32
  %594 = fmul <4 x double> %569, %591
  %595 = fmul <4 x double> %569, %593
  %596 = select i1 %338, <4 x double> %595, <4 x double> %594
  %597 = select i1 %338, <4 x double> %594, <4 x double> %595
  %598 = getelementptr i8, ptr %587, i64 4
  %599 = load i32, ptr %598, align 4
  %600 = sext i32 %599 to i64
  %601 = getelementptr inbounds %struct.Complex_f64, ptr %574, i64 %600
  %602 = load <4 x double>, ptr %601, align 32
  %603 = getelementptr inbounds nuw i8, ptr %601, i64 32
  %604 = load <4 x double>, ptr %603, align 32
  %605 = fmul <4 x double> %569, %602
  %606 = fmul <4 x double> %569, %604
  %607 = select i1 %338, <4 x double> %606, <4 x double> %605
  %608 = select i1 %338, <4 x double> %605, <4 x double> %606
  %609 = shufflevector <4 x double> %597, <4 x double> %596, <4 x i32> <i32 0, i32 4, i32 2, i32 6>
  %610 = shufflevector <4 x double> %597, <4 x double> %596, <4 x i32> <i32 1, i32 5, i32 3, i32 7>
  %611 = shufflevector <4 x double> %608, <4 x double> %607, <4 x i32> <i32 0, i32 4, i32 2, i32 6>
  %612 = shufflevector <4 x double> %608, <4 x double> %607, <4 x i32> <i32 1, i32 5, i32 3, i32 7>
  %613 = shufflevector <4 x double> %609, <4 x double> %611, <4 x i32> <i32 2, i32 3, i32 6, i32 7>
  %614 = shufflevector <4 x double> %610, <4 x double> %612, <4 x i32> <i32 2, i32 3, i32 6, i32 7>
  %615 = shl i64 %586, 4
  %616 = getelementptr i8, ptr %57, i64 %615
  %617 = shufflevector <4 x double> %609, <4 x double> %611, <4 x i32> <i32 0, i32 1, i32 4, i32 5>
  %618 = getelementptr double, ptr %616, i64 %583
  store <4 x double> %617, ptr %618, align 8
  br i1 %577, label %619, label %629

619:
  %620 = shufflevector <4 x double> %610, <4 x double> %612, <4 x i32> <i32 0, i32 1, i32 4, i32 5>
  %621 = load i64, ptr %578, align 8
  %622 = getelementptr double, ptr %616, i64 %621
  store <4 x double> %620, ptr %622, align 8
  br i1 %579, label %623, label %629

623:
  %624 = load i64, ptr %580, align 8
  %625 = getelementptr double, ptr %616, i64 %624
  store <4 x double> %613, ptr %625, align 8
  br i1 %581, label %626, label %629

626:
  %627 = load i64, ptr %582, align 8
  %628 = getelementptr double, ptr %616, i64 %627
  store <4 x double> %614, ptr %628, align 8
  br label %629

629:
  %630 = add i64 %585, 2
  %631 = icmp sgt i64 %630, %327
  br i1 %631, label %632, label %584

632:
  %633 = phi i64 [ 0, %571 ], [ %585, %629 ]
  %634 = icmp slt i64 %633, %327
  br i1 %634, label %635, label %663

635:
  %636 = phi i64 [ %651, %650 ], [ %633, %632 ]
  %637 = getelementptr inbounds i32, ptr %335, i64 %636
  %638 = load i32, ptr %637, align 4
  %639 = sext i32 %638 to i64
  %640 = getelementptr inbounds %struct.Complex_f64, ptr %574, i64 %639
  %641 = load <4 x double>, ptr %640, align 32
  %642 = getelementptr inbounds nuw i8, ptr %640, i64 32
  %643 = load <4 x double>, ptr %642, align 32
  %644 = fmul <4 x double> %569, %641
  %645 = fmul <4 x double> %569, %643
  %646 = select i1 %338, <4 x double> %645, <4 x double> %644
  %647 = select i1 %338, <4 x double> %644, <4 x double> %645
  %648 = mul i64 %636, %330
  %649 = getelementptr double, ptr %57, i64 %648
  br label %653

650:
  %651 = add nsw i64 %636, 1
  %652 = icmp eq i64 %651, %327
  br i1 %652, label %663, label %635

653:
  %654 = phi i64 [ 0, %635 ], [ %661, %653 ]
  %655 = getelementptr inbounds nuw i64, ptr %572, i64 %654
  %656 = load i64, ptr %655, align 8
  %657 = getelementptr double, ptr %649, i64 %656
  %658 = extractelement <4 x double> %647, i64 %654
  store double %658, ptr %657, align 8
  %659 = extractelement <4 x double> %646, i64 %654
  %660 = getelementptr inbounds double, ptr %657, i64 %332
  store double %659, ptr %660, align 8
  %661 = add nuw nsw i64 %654, 1
  %662 = icmp eq i64 %661, %575
  br i1 %662, label %650, label %653

663:
  %664 = add nsw i64 %573, -4
  %665 = getelementptr inbounds nuw i8, ptr %572, i64 32
  %666 = getelementptr inbounds %struct.Complex_f64, ptr %574, i64 %328
  %667 = icmp sgt i64 %573, 4
  br i1 %667, label %571, label %1781

668:
  %669 = phi i64 [ 0, %289 ], [ %1779, %1778 ]
  %670 = load i64, ptr %91, align 8
  %671 = mul i64 %670, %669
  %672 = getelementptr inbounds %struct.Complex_f64, ptr %4, i64 %671
  %673 = load i64, ptr %290, align 8
  %674 = icmp eq i64 %673, 2
  br i1 %674, label %675, label %721

675:
  %676 = load i64, ptr %291, align 8
  %677 = load ptr, ptr %292, align 8
  %678 = load <4 x double>, ptr %672, align 32
  %679 = getelementptr inbounds nuw i8, ptr %672, i64 32
  %680 = getelementptr inbounds %struct.Complex_f64, ptr %672, i64 %676
  %681 = load <4 x double>, ptr %680, align 32
  %682 = fsub <4 x double> %678, %681
  %683 = fadd <4 x double> %678, %681
  store <4 x double> %682, ptr %672, align 32
  store <4 x double> %683, ptr %679, align 32
  %684 = icmp slt i64 %676, 2
  br i1 %684, label %721, label %685

685:
  %686 = phi i64 [ %719, %685 ], [ 2, %675 ]
  %687 = phi i64 [ %718, %685 ], [ 1, %675 ]
  %688 = getelementptr inbounds %struct.Complex_f64, ptr %672, i64 %687
  %689 = load <4 x double>, ptr %688, align 32
  %690 = getelementptr inbounds nuw i8, ptr %688, i64 32
  %691 = load <4 x double>, ptr %690, align 32
  %692 = sub i64 %676, %687
  %693 = getelementptr inbounds %struct.Complex_f64, ptr %672, i64 %692
  %694 = load <4 x double>, ptr %693, align 32
  %695 = getelementptr inbounds nuw i8, ptr %693, i64 32
  %696 = load <4 x double>, ptr %695, align 32
  %697 = fadd <4 x double> %689, %694
  %698 = fsub <4 x double> %691, %696
  %699 = fsub <4 x double> %689, %694
  %700 = fadd <4 x double> %691, %696
  %701 = getelementptr inbounds double, ptr %677, i64 %686
  %702 = load double, ptr %701, align 8
  %703 = insertelement <4 x double> poison, double %702, i64 0
  %704 = shufflevector <4 x double> %703, <4 x double> poison, <4 x i32> zeroinitializer
  %705 = getelementptr i8, ptr %701, i64 8
  %706 = load double, ptr %705, align 8
  %707 = insertelement <4 x double> poison, double %706, i64 0
  %708 = shufflevector <4 x double> %707, <4 x double> poison, <4 x i32> zeroinitializer
  %709 = fmul <4 x double> %700, %708
  %710 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %699, <4 x double> %704, <4 x double> %709)
  %711 = fneg <4 x double> %708
  %712 = fmul <4 x double> %699, %711
  %713 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %700, <4 x double> %704, <4 x double> %712)
  %714 = fadd <4 x double> %698, %710
  %715 = fsub <4 x double> %697, %713
  store <4 x double> %714, ptr %688, align 32
  store <4 x double> %715, ptr %690, align 32
  %716 = fsub <4 x double> %710, %698
  %717 = fadd <4 x double> %697, %713
  store <4 x double> %716, ptr %693, align 32
  store <4 x double> %717, ptr %695, align 32
  %718 = add i64 %687, 1
  %719 = shl i64 %718, 1
  %720 = icmp sgt i64 %719, %676
  br i1 %720, label %721, label %685

721:
  %722 = load i64, ptr %291, align 8
  %723 = load i64, ptr %293, align 8
  %724 = icmp sgt i64 %723, 0
  br i1 %724, label %725, label %1711

725:
  %726 = load ptr, ptr %294, align 8
  %727 = icmp sgt i64 %722, 0
  br label %728

728:
  %729 = phi i64 [ %722, %725 ], [ %1703, %1701 ]
  %730 = phi ptr [ %726, %725 ], [ %1707, %1701 ]
  %731 = phi i64 [ 0, %725 ], [ %1708, %1701 ]
  %732 = getelementptr inbounds nuw i64, ptr %295, i64 %731
  %733 = load i64, ptr %732, align 8
  %734 = icmp eq i64 %729, %733
  %735 = icmp sgt i64 %733, 8
  %736 = icmp eq i64 %733, 7
  %737 = or i1 %735, %736
  br i1 %737, label %738, label %891

738:
  %739 = shl i64 %733, 4
  %740 = getelementptr inbounds i8, ptr %730, i64 %739
  %741 = sdiv i64 %729, %733
  br i1 %727, label %742, label %1701

742:
  %743 = icmp sgt i64 %741, 0
  %744 = shl nuw i64 %733, 1
  %745 = add i64 %744, -2
  %746 = icmp eq i64 %741, 1
  %747 = add nsw i64 %733, -3
  %748 = lshr i64 %747, 1
  %749 = add nuw nsw i64 %748, 2
  br label %750

750:
  %751 = phi i64 [ 0, %742 ], [ %755, %754 ]
  br i1 %743, label %752, label %754

752:
  %753 = getelementptr inbounds %struct.Complex_f64, ptr %672, i64 %751
  br label %757

754:
  %755 = add i64 %751, %729
  %756 = icmp slt i64 %755, %722
  br i1 %756, label %750, label %1701

757:
  %758 = phi i64 [ 0, %752 ], [ %800, %799 ]
  %759 = getelementptr inbounds nuw %struct.Complex_f64, ptr %753, i64 %758
  %760 = load <4 x double>, ptr %759, align 32
  %761 = getelementptr inbounds nuw i8, ptr %759, i64 32
  %762 = load <4 x double>, ptr %761, align 32
  br label %767

763:
  %764 = mul i64 %758, %745
  %765 = getelementptr inbounds double, ptr %740, i64 %764
  %766 = getelementptr inbounds i8, ptr %765, i64 -16
  store <4 x double> %792, ptr %759, align 32
  store <4 x double> %793, ptr %761, align 32
  br label %796

767:
  %768 = phi i64 [ %794, %767 ], [ 1, %757 ]
  %769 = phi <4 x double> [ %793, %767 ], [ %762, %757 ]
  %770 = phi <4 x double> [ %792, %767 ], [ %760, %757 ]
  %771 = add nsw i64 %768, -1
  %772 = getelementptr inbounds %struct.Complex_f64, ptr %6, i64 %771
  %773 = mul i64 %768, %741
  %774 = getelementptr inbounds %struct.Complex_f64, ptr %759, i64 %773
  %775 = sub nsw i64 %733, %768
  %776 = mul i64 %775, %741
  %777 = getelementptr inbounds %struct.Complex_f64, ptr %759, i64 %776
  %778 = load <4 x double>, ptr %777, align 32
  %779 = getelementptr inbounds nuw i8, ptr %777, i64 32
  %780 = load <4 x double>, ptr %779, align 32
  %781 = load <4 x double>, ptr %774, align 32
  %782 = getelementptr inbounds nuw i8, ptr %774, i64 32
  %783 = load <4 x double>, ptr %782, align 32
  %784 = fadd <4 x double> %778, %781
  %785 = fadd <4 x double> %780, %783
  store <4 x double> %784, ptr %772, align 32
  %786 = getelementptr inbounds nuw i8, ptr %772, i64 32
  store <4 x double> %785, ptr %786, align 32
  %787 = getelementptr inbounds %struct.Complex_f64, ptr %7, i64 %771
  %788 = fsub <4 x double> %781, %778
  %789 = fsub <4 x double> %783, %780
  %790 = fneg <4 x double> %788
  store <4 x double> %789, ptr %787, align 32
  %791 = getelementptr inbounds nuw i8, ptr %787, i64 32
  store <4 x double> %790, ptr %791, align 32
  %792 = fadd <4 x double> %770, %784
  %793 = fadd <4 x double> %769, %785
  %794 = add nuw nsw i64 %768, 1
  %795 = icmp eq i64 %794, %749
  br i1 %795, label %763, label %767

796:
  %797 = phi i64 [ %854, %849 ], [ 2, %763 ]
  %798 = phi i64 [ %853, %849 ], [ 1, %763 ]
  br label %856

799:
  %800 = add nuw nsw i64 %758, 1
  %801 = icmp eq i64 %800, %741
  br i1 %801, label %754, label %757

802:
  %803 = mul i64 %798, %741
  %804 = getelementptr inbounds %struct.Complex_f64, ptr %759, i64 %803
  %805 = fadd <4 x double> %871, %881
  %806 = fadd <4 x double> %874, %884
  br i1 %746, label %823, label %807

807:
  %808 = getelementptr inbounds double, ptr %766, i64 %797
  %809 = load double, ptr %808, align 8
  %810 = insertelement <4 x double> poison, double %809, i64 0
  %811 = shufflevector <4 x double> %810, <4 x double> poison, <4 x i32> zeroinitializer
  %812 = getelementptr inbounds nuw i8, ptr %808, i64 8
  %813 = load double, ptr %812, align 8
  %814 = insertelement <4 x double> poison, double %813, i64 0
  %815 = fneg double %813
  %816 = insertelement <4 x double> poison, double %815, i64 0
  %817 = shufflevector <4 x double> %816, <4 x double> poison, <4 x i32> zeroinitializer
  %818 = fmul <4 x double> %806, %817
  %819 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %805, <4 x double> %811, <4 x double> %818)
  %820 = shufflevector <4 x double> %814, <4 x double> poison, <4 x i32> zeroinitializer
  %821 = fmul <4 x double> %805, %820
  %822 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %806, <4 x double> %811, <4 x double> %821)
  br label %823

823:
  %824 = phi <4 x double> [ %822, %807 ], [ %806, %802 ]
  %825 = phi <4 x double> [ %819, %807 ], [ %805, %802 ]
  store <4 x double> %825, ptr %804, align 32
  %826 = getelementptr inbounds nuw i8, ptr %804, i64 32
  store <4 x double> %824, ptr %826, align 32
  %827 = sub nsw i64 %733, %798
  %828 = mul i64 %827, %741
  %829 = getelementptr inbounds %struct.Complex_f64, ptr %759, i64 %828
  %830 = fsub <4 x double> %871, %881
  %831 = fsub <4 x double> %874, %884
  br i1 %746, label %849, label %832

832:
  %833 = shl i64 %827, 4
  %834 = getelementptr inbounds i8, ptr %766, i64 %833
  %835 = load double, ptr %834, align 8
  %836 = insertelement <4 x double> poison, double %835, i64 0
  %837 = shufflevector <4 x double> %836, <4 x double> poison, <4 x i32> zeroinitializer
  %838 = getelementptr inbounds nuw i8, ptr %834, i64 8
  %839 = load double, ptr %838, align 8
  %840 = insertelement <4 x double> poison, double %839, i64 0
  %841 = fneg double %839
  %842 = insertelement <4 x double> poison, double %841, i64 0
  %843 = shufflevector <4 x double> %842, <4 x double> poison, <4 x i32> zeroinitializer
  %844 = fmul <4 x double> %831, %843
  %845 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %830, <4 x double> %837, <4 x double> %844)
  %846 = shufflevector <4 x double> %840, <4 x double> poison, <4 x i32> zeroinitializer
  %847 = fmul <4 x double> %830, %846
  %848 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %831, <4 x double> %837, <4 x double> %847)
  br label %849

849:
  %850 = phi <4 x double> [ %848, %832 ], [ %831, %823 ]
  %851 = phi <4 x double> [ %845, %832 ], [ %830, %823 ]
  store <4 x double> %851, ptr %829, align 32
  %852 = getelementptr inbounds nuw i8, ptr %829, i64 32
  store <4 x double> %850, ptr %852, align 32
  %853 = add nuw nsw i64 %798, 1
  %854 = shl nuw i64 %853, 1
  %855 = icmp eq i64 %853, %749
  br i1 %855, label %799, label %796

856:
  %857 = phi i64 [ %798, %796 ], [ %889, %856 ]
  %858 = phi i64 [ 1, %796 ], [ %885, %856 ]
  %859 = phi <4 x double> [ %762, %796 ], [ %874, %856 ]
  %860 = phi <4 x double> [ %760, %796 ], [ %871, %856 ]
  %861 = phi <4 x double> [ zeroinitializer, %796 ], [ %881, %856 ]
  %862 = phi <4 x double> [ zeroinitializer, %796 ], [ %884, %856 ]
  %863 = add nsw i64 %858, -1
  %864 = getelementptr inbounds %struct.Complex_f64, ptr %6, i64 %863
  %865 = load <4 x double>, ptr %864, align 32
  %866 = shl i64 %857, 4
  %867 = getelementptr inbounds i8, ptr %730, i64 %866
  %868 = load double, ptr %867, align 8
  %869 = insertelement <4 x double> poison, double %868, i64 0
  %870 = shufflevector <4 x double> %869, <4 x double> poison, <4 x i32> zeroinitializer
  %871 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %865, <4 x double> %870, <4 x double> %860)
  %872 = getelementptr inbounds nuw i8, ptr %864, i64 32
  %873 = load <4 x double>, ptr %872, align 32
  %874 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %873, <4 x double> %870, <4 x double> %859)
  %875 = getelementptr inbounds %struct.Complex_f64, ptr %7, i64 %863
  %876 = load <4 x double>, ptr %875, align 32
  %877 = getelementptr i8, ptr %867, i64 8
  %878 = load double, ptr %877, align 8
  %879 = insertelement <4 x double> poison, double %878, i64 0
  %880 = shufflevector <4 x double> %879, <4 x double> poison, <4 x i32> zeroinitializer
  %881 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %876, <4 x double> %880, <4 x double> %861)
  %882 = getelementptr inbounds nuw i8, ptr %875, i64 32
  %883 = load <4 x double>, ptr %882, align 32
  %884 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %883, <4 x double> %880, <4 x double> %862)
  %885 = add nuw nsw i64 %858, 1
  %886 = add i64 %857, %798
  %887 = icmp slt i64 %886, %733
  %888 = select i1 %887, i64 0, i64 %733
  %889 = sub i64 %886, %888
  %890 = icmp eq i64 %885, %749
  br i1 %890, label %802, label %856

891:
  switch i64 %733, label %1701 [
    i64 2, label %892
    i64 3, label %953
    i64 4, label %1058
    i64 5, label %1191
    i64 8, label %1390
  ]

892:
  br i1 %734, label %893, label %910

893:
  br i1 %727, label %894, label %1701

894:
  %895 = phi i64 [ %908, %894 ], [ 0, %893 ]
  %896 = getelementptr inbounds nuw %struct.Complex_f64, ptr %672, i64 %895
  %897 = load <4 x double>, ptr %896, align 32
  %898 = getelementptr inbounds nuw i8, ptr %896, i64 32
  %899 = load <4 x double>, ptr %898, align 32
  %900 = getelementptr inbounds nuw i8, ptr %896, i64 64
  %901 = load <4 x double>, ptr %900, align 32
  %902 = getelementptr inbounds nuw i8, ptr %896, i64 96
  %903 = load <4 x double>, ptr %902, align 32
  %904 = fadd <4 x double> %897, %901
  %905 = fadd <4 x double> %899, %903
  store <4 x double> %904, ptr %896, align 32
  store <4 x double> %905, ptr %898, align 32
  %906 = fsub <4 x double> %897, %901
  %907 = fsub <4 x double> %899, %903
  store <4 x double> %906, ptr %900, align 32
  store <4 x double> %907, ptr %902, align 32
  %908 = add nuw nsw i64 %895, 2
  %909 = icmp slt i64 %908, %722
  br i1 %909, label %894, label %1701

910:
  %911 = sdiv i64 %729, 2
  br i1 %727, label %912, label %1701

912:
  %913 = icmp sgt i64 %729, 1
  br label %914

914:
  %915 = phi i64 [ 0, %912 ], [ %919, %918 ]
  br i1 %913, label %916, label %918

916:
  %917 = getelementptr inbounds %struct.Complex_f64, ptr %672, i64 %915
  br label %921

918:
  %919 = add i64 %915, %729
  %920 = icmp slt i64 %919, %722
  br i1 %920, label %914, label %1701

921:
  %922 = phi i64 [ 0, %916 ], [ %951, %921 ]
  %923 = getelementptr inbounds nuw %struct.Complex_f64, ptr %917, i64 %922
  %924 = load <4 x double>, ptr %923, align 32
  %925 = getelementptr inbounds nuw i8, ptr %923, i64 32
  %926 = load <4 x double>, ptr %925, align 32
  %927 = getelementptr inbounds nuw %struct.Complex_f64, ptr %923, i64 %911
  %928 = load <4 x double>, ptr %927, align 32
  %929 = getelementptr inbounds nuw i8, ptr %927, i64 32
  %930 = load <4 x double>, ptr %929, align 32
  %931 = fadd <4 x double> %924, %928
  %932 = fadd <4 x double> %926, %930
  store <4 x double> %931, ptr %923, align 32
  store <4 x double> %932, ptr %925, align 32
  %933 = fsub <4 x double> %924, %928
  %934 = fsub <4 x double> %926, %930
  %935 = shl i64 %922, 4
  %936 = getelementptr inbounds i8, ptr %730, i64 %935
  %937 = load double, ptr %936, align 8
  %938 = insertelement <4 x double> poison, double %937, i64 0
  %939 = shufflevector <4 x double> %938, <4 x double> poison, <4 x i32> zeroinitializer
  %940 = getelementptr inbounds nuw i8, ptr %936, i64 8
  %941 = load double, ptr %940, align 8
  %942 = insertelement <4 x double> poison, double %941, i64 0
  %943 = fneg double %941
  %944 = insertelement <4 x double> poison, double %943, i64 0
  %945 = shufflevector <4 x double> %944, <4 x double> poison, <4 x i32> zeroinitializer
  %946 = fmul <4 x double> %934, %945
  %947 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %933, <4 x double> %939, <4 x double> %946)
  %948 = shufflevector <4 x double> %942, <4 x double> poison, <4 x i32> zeroinitializer
  %949 = fmul <4 x double> %933, %948
  %950 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %934, <4 x double> %939, <4 x double> %949)
  store <4 x double> %947, ptr %927, align 32
  store <4 x double> %950, ptr %929, align 32
  %951 = add nuw nsw i64 %922, 1
  %952 = icmp eq i64 %951, %911
  br i1 %952, label %918, label %921

953:
  br i1 %734, label %954, label %985

954:
  br i1 %727, label %955, label %1701

955:
  %956 = phi i64 [ %983, %955 ], [ 0, %954 ]
  %957 = getelementptr inbounds %struct.Complex_f64, ptr %672, i64 %956
  %958 = load <4 x double>, ptr %957, align 32
  %959 = getelementptr inbounds nuw i8, ptr %957, i64 32
  %960 = load <4 x double>, ptr %959, align 32
  %961 = getelementptr inbounds nuw i8, ptr %957, i64 64
  %962 = getelementptr inbounds nuw i8, ptr %957, i64 128
  %963 = load <4 x double>, ptr %962, align 32
  %964 = getelementptr inbounds nuw i8, ptr %957, i64 160
  %965 = load <4 x double>, ptr %964, align 32
  %966 = load <4 x double>, ptr %961, align 32
  %967 = getelementptr inbounds nuw i8, ptr %957, i64 96
  %968 = load <4 x double>, ptr %967, align 32
  %969 = fadd <4 x double> %963, %966
  %970 = fadd <4 x double> %965, %968
  %971 = fsub <4 x double> %966, %963
  %972 = fsub <4 x double> %968, %965
  %973 = fmul <4 x double> %972, splat (double 0x3FEBB67AE8584CAA)
  %974 = fmul <4 x double> %971, splat (double 0xBFEBB67AE8584CAA)
  %975 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %969, <4 x double> splat (double -5.000000e-01), <4 x double> %958)
  %976 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %970, <4 x double> splat (double -5.000000e-01), <4 x double> %960)
  %977 = fadd <4 x double> %958, %969
  %978 = fadd <4 x double> %960, %970
  store <4 x double> %977, ptr %957, align 32
  store <4 x double> %978, ptr %959, align 32
  %979 = fadd <4 x double> %975, %973
  %980 = fadd <4 x double> %974, %976
  store <4 x double> %979, ptr %961, align 32
  store <4 x double> %980, ptr %967, align 32
  %981 = fsub <4 x double> %975, %973
  %982 = fsub <4 x double> %976, %974
  store <4 x double> %981, ptr %962, align 32
  store <4 x double> %982, ptr %964, align 32
  %983 = add i64 %956, 3
  %984 = icmp slt i64 %983, %722
  br i1 %984, label %955, label %1701

985:
  %986 = sdiv i64 %729, 3
  br i1 %727, label %987, label %1701

987:
  %988 = icmp sgt i64 %729, 2
  %989 = shl nsw i64 %986, 7
  br label %990

990:
  %991 = phi i64 [ 0, %987 ], [ %995, %994 ]
  br i1 %988, label %992, label %994

992:
  %993 = getelementptr inbounds %struct.Complex_f64, ptr %672, i64 %991
  br label %997

994:
  %995 = add i64 %991, %729
  %996 = icmp slt i64 %995, %722
  br i1 %996, label %990, label %1701

997:
  %998 = phi i64 [ 0, %992 ], [ %1056, %997 ]
  %999 = getelementptr inbounds nuw %struct.Complex_f64, ptr %993, i64 %998
  %1000 = load <4 x double>, ptr %999, align 32
  %1001 = getelementptr inbounds nuw i8, ptr %999, i64 32
  %1002 = load <4 x double>, ptr %1001, align 32
  %1003 = getelementptr inbounds nuw %struct.Complex_f64, ptr %999, i64 %986
  %1004 = getelementptr inbounds nuw i8, ptr %999, i64 %989
  %1005 = load <4 x double>, ptr %1004, align 32
  %1006 = getelementptr inbounds nuw i8, ptr %1004, i64 32
  %1007 = load <4 x double>, ptr %1006, align 32
  %1008 = load <4 x double>, ptr %1003, align 32
  %1009 = getelementptr inbounds nuw i8, ptr %1003, i64 32
  %1010 = load <4 x double>, ptr %1009, align 32
  %1011 = fadd <4 x double> %1005, %1008
  %1012 = fadd <4 x double> %1007, %1010
  %1013 = fsub <4 x double> %1008, %1005
  %1014 = fsub <4 x double> %1010, %1007
  %1015 = fmul <4 x double> %1014, splat (double 0x3FEBB67AE8584CAA)
  %1016 = fmul <4 x double> %1013, splat (double 0xBFEBB67AE8584CAA)
  %1017 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1011, <4 x double> splat (double -5.000000e-01), <4 x double> %1000)
  %1018 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1012, <4 x double> splat (double -5.000000e-01), <4 x double> %1002)
  %1019 = shl i64 %998, 5
  %1020 = getelementptr inbounds i8, ptr %730, i64 %1019
  %1021 = fadd <4 x double> %1000, %1011
  %1022 = fadd <4 x double> %1002, %1012
  store <4 x double> %1021, ptr %999, align 32
  store <4 x double> %1022, ptr %1001, align 32
  %1023 = fadd <4 x double> %1017, %1015
  %1024 = fadd <4 x double> %1016, %1018
  %1025 = load double, ptr %1020, align 8
  %1026 = insertelement <4 x double> poison, double %1025, i64 0
  %1027 = shufflevector <4 x double> %1026, <4 x double> poison, <4 x i32> zeroinitializer
  %1028 = getelementptr inbounds nuw i8, ptr %1020, i64 8
  %1029 = load double, ptr %1028, align 8
  %1030 = insertelement <4 x double> poison, double %1029, i64 0
  %1031 = fneg double %1029
  %1032 = insertelement <4 x double> poison, double %1031, i64 0
  %1033 = shufflevector <4 x double> %1032, <4 x double> poison, <4 x i32> zeroinitializer
  %1034 = fmul <4 x double> %1024, %1033
  %1035 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1023, <4 x double> %1027, <4 x double> %1034)
  %1036 = shufflevector <4 x double> %1030, <4 x double> poison, <4 x i32> zeroinitializer
  %1037 = fmul <4 x double> %1023, %1036
  %1038 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1024, <4 x double> %1027, <4 x double> %1037)
  store <4 x double> %1035, ptr %1003, align 32
  store <4 x double> %1038, ptr %1009, align 32
  %1039 = fsub <4 x double> %1017, %1015
  %1040 = fsub <4 x double> %1018, %1016
  %1041 = getelementptr inbounds nuw i8, ptr %1020, i64 16
  %1042 = load double, ptr %1041, align 8
  %1043 = insertelement <4 x double> poison, double %1042, i64 0
  %1044 = shufflevector <4 x double> %1043, <4 x double> poison, <4 x i32> zeroinitializer
  %1045 = getelementptr inbounds nuw i8, ptr %1020, i64 24
  %1046 = load double, ptr %1045, align 8
  %1047 = insertelement <4 x double> poison, double %1046, i64 0
  %1048 = fneg double %1046
  %1049 = insertelement <4 x double> poison, double %1048, i64 0
  %1050 = shufflevector <4 x double> %1049, <4 x double> poison, <4 x i32> zeroinitializer
  %1051 = fmul <4 x double> %1040, %1050
  %1052 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1039, <4 x double> %1044, <4 x double> %1051)
  %1053 = shufflevector <4 x double> %1047, <4 x double> poison, <4 x i32> zeroinitializer
  %1054 = fmul <4 x double> %1039, %1053
  %1055 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1040, <4 x double> %1044, <4 x double> %1054)
  store <4 x double> %1052, ptr %1004, align 32
  store <4 x double> %1055, ptr %1006, align 32
  %1056 = add nuw nsw i64 %998, 1
  %1057 = icmp eq i64 %1056, %986
  br i1 %1057, label %994, label %997

1058:
  br i1 %734, label %1059, label %1096

1059:
  br i1 %727, label %1060, label %1701

1060:
  %1061 = phi i64 [ %1094, %1060 ], [ 0, %1059 ]
  %1062 = getelementptr inbounds nuw %struct.Complex_f64, ptr %672, i64 %1061
  %1063 = getelementptr inbounds nuw i8, ptr %1062, i64 64
  %1064 = getelementptr inbounds nuw i8, ptr %1062, i64 128
  %1065 = getelementptr inbounds nuw i8, ptr %1062, i64 192
  %1066 = load <4 x double>, ptr %1065, align 32
  %1067 = getelementptr inbounds nuw i8, ptr %1062, i64 224
  %1068 = load <4 x double>, ptr %1067, align 32
  %1069 = load <4 x double>, ptr %1064, align 32
  %1070 = getelementptr inbounds nuw i8, ptr %1062, i64 160
  %1071 = load <4 x double>, ptr %1070, align 32
  %1072 = load <4 x double>, ptr %1063, align 32
  %1073 = getelementptr inbounds nuw i8, ptr %1062, i64 96
  %1074 = load <4 x double>, ptr %1073, align 32
  %1075 = load <4 x double>, ptr %1062, align 32
  %1076 = getelementptr inbounds nuw i8, ptr %1062, i64 32
  %1077 = load <4 x double>, ptr %1076, align 32
  %1078 = fadd <4 x double> %1069, %1075
  %1079 = fadd <4 x double> %1071, %1077
  %1080 = fsub <4 x double> %1075, %1069
  %1081 = fsub <4 x double> %1077, %1071
  %1082 = fadd <4 x double> %1066, %1072
  %1083 = fadd <4 x double> %1068, %1074
  %1084 = fsub <4 x double> %1072, %1066
  %1085 = fsub <4 x double> %1074, %1068
  %1086 = fadd <4 x double> %1082, %1078
  %1087 = fadd <4 x double> %1083, %1079
  %1088 = fadd <4 x double> %1085, %1080
  %1089 = fsub <4 x double> %1081, %1084
  %1090 = fsub <4 x double> %1078, %1082
  %1091 = fsub <4 x double> %1079, %1083
  %1092 = fsub <4 x double> %1080, %1085
  %1093 = fadd <4 x double> %1084, %1081
  store <4 x double> %1086, ptr %1062, align 32
  store <4 x double> %1087, ptr %1076, align 32
  store <4 x double> %1088, ptr %1063, align 32
  store <4 x double> %1089, ptr %1073, align 32
  store <4 x double> %1090, ptr %1064, align 32
  store <4 x double> %1091, ptr %1070, align 32
  store <4 x double> %1092, ptr %1065, align 32
  store <4 x double> %1093, ptr %1067, align 32
  %1094 = add nuw nsw i64 %1061, 4
  %1095 = icmp slt i64 %1094, %722
  br i1 %1095, label %1060, label %1701

1096:
  %1097 = sdiv i64 %729, 4
  br i1 %727, label %1098, label %1701

1098:
  %1099 = icmp sgt i64 %729, 3
  %1100 = shl nsw i64 %1097, 7
  %1101 = mul nsw i64 %1097, 192
  br label %1102

1102:
  %1103 = phi i64 [ 0, %1098 ], [ %1107, %1106 ]
  br i1 %1099, label %1104, label %1106

1104:
  %1105 = getelementptr inbounds %struct.Complex_f64, ptr %672, i64 %1103
  br label %1109

1106:
  %1107 = add i64 %1103, %729
  %1108 = icmp slt i64 %1107, %722
  br i1 %1108, label %1102, label %1701

1109:
  %1110 = phi i64 [ 0, %1104 ], [ %1189, %1109 ]
  %1111 = getelementptr inbounds nuw %struct.Complex_f64, ptr %1105, i64 %1110
  %1112 = mul i64 %1110, 48
  %1113 = getelementptr inbounds i8, ptr %730, i64 %1112
  %1114 = getelementptr inbounds nuw %struct.Complex_f64, ptr %1111, i64 %1097
  %1115 = getelementptr inbounds nuw i8, ptr %1111, i64 %1100
  %1116 = getelementptr inbounds nuw i8, ptr %1111, i64 %1101
  %1117 = load <4 x double>, ptr %1116, align 32
  %1118 = getelementptr inbounds nuw i8, ptr %1116, i64 32
  %1119 = load <4 x double>, ptr %1118, align 32
  %1120 = load <4 x double>, ptr %1115, align 32
  %1121 = getelementptr inbounds nuw i8, ptr %1115, i64 32
  %1122 = load <4 x double>, ptr %1121, align 32
  %1123 = load <4 x double>, ptr %1114, align 32
  %1124 = getelementptr inbounds nuw i8, ptr %1114, i64 32
  %1125 = load <4 x double>, ptr %1124, align 32
  %1126 = load <4 x double>, ptr %1111, align 32
  %1127 = getelementptr inbounds nuw i8, ptr %1111, i64 32
  %1128 = load <4 x double>, ptr %1127, align 32
  %1129 = fadd <4 x double> %1120, %1126
  %1130 = fadd <4 x double> %1122, %1128
  %1131 = fsub <4 x double> %1126, %1120
  %1132 = fsub <4 x double> %1128, %1122
  %1133 = fadd <4 x double> %1117, %1123
  %1134 = fadd <4 x double> %1119, %1125
  %1135 = fsub <4 x double> %1123, %1117
  %1136 = fsub <4 x double> %1125, %1119
  %1137 = fadd <4 x double> %1133, %1129
  %1138 = fadd <4 x double> %1134, %1130
  %1139 = fadd <4 x double> %1136, %1131
  %1140 = fsub <4 x double> %1132, %1135
  %1141 = fsub <4 x double> %1129, %1133
  %1142 = fsub <4 x double> %1130, %1134
  %1143 = fsub <4 x double> %1131, %1136
  %1144 = fadd <4 x double> %1135, %1132
  store <4 x double> %1137, ptr %1111, align 32
  store <4 x double> %1138, ptr %1127, align 32
  %1145 = load double, ptr %1113, align 8
  %1146 = insertelement <4 x double> poison, double %1145, i64 0
  %1147 = shufflevector <4 x double> %1146, <4 x double> poison, <4 x i32> zeroinitializer
  %1148 = getelementptr inbounds nuw i8, ptr %1113, i64 8
  %1149 = load double, ptr %1148, align 8
  %1150 = insertelement <4 x double> poison, double %1149, i64 0
  %1151 = fneg double %1149
  %1152 = insertelement <4 x double> poison, double %1151, i64 0
  %1153 = shufflevector <4 x double> %1152, <4 x double> poison, <4 x i32> zeroinitializer
  %1154 = fmul <4 x double> %1140, %1153
  %1155 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1139, <4 x double> %1147, <4 x double> %1154)
  %1156 = shufflevector <4 x double> %1150, <4 x double> poison, <4 x i32> zeroinitializer
  %1157 = fmul <4 x double> %1139, %1156
  %1158 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1140, <4 x double> %1147, <4 x double> %1157)
  store <4 x double> %1155, ptr %1114, align 32
  store <4 x double> %1158, ptr %1124, align 32
  %1159 = getelementptr inbounds nuw i8, ptr %1113, i64 16
  %1160 = load double, ptr %1159, align 8
  %1161 = insertelement <4 x double> poison, double %1160, i64 0
  %1162 = shufflevector <4 x double> %1161, <4 x double> poison, <4 x i32> zeroinitializer
  %1163 = getelementptr inbounds nuw i8, ptr %1113, i64 24
  %1164 = load double, ptr %1163, align 8
  %1165 = insertelement <4 x double> poison, double %1164, i64 0
  %1166 = fneg double %1164
  %1167 = insertelement <4 x double> poison, double %1166, i64 0
  %1168 = shufflevector <4 x double> %1167, <4 x double> poison, <4 x i32> zeroinitializer
  %1169 = fmul <4 x double> %1142, %1168
  %1170 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1141, <4 x double> %1162, <4 x double> %1169)
  %1171 = shufflevector <4 x double> %1165, <4 x double> poison, <4 x i32> zeroinitializer
  %1172 = fmul <4 x double> %1141, %1171
  %1173 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1142, <4 x double> %1162, <4 x double> %1172)
  store <4 x double> %1170, ptr %1115, align 32
  store <4 x double> %1173, ptr %1121, align 32
  %1174 = getelementptr inbounds nuw i8, ptr %1113, i64 32
  %1175 = load double, ptr %1174, align 8
  %1176 = insertelement <4 x double> poison, double %1175, i64 0
  %1177 = shufflevector <4 x double> %1176, <4 x double> poison, <4 x i32> zeroinitializer
  %1178 = getelementptr inbounds nuw i8, ptr %1113, i64 40
  %1179 = load double, ptr %1178, align 8
  %1180 = insertelement <4 x double> poison, double %1179, i64 0
  %1181 = fneg double %1179
  %1182 = insertelement <4 x double> poison, double %1181, i64 0
  %1183 = shufflevector <4 x double> %1182, <4 x double> poison, <4 x i32> zeroinitializer
  %1184 = fmul <4 x double> %1144, %1183
  %1185 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1143, <4 x double> %1177, <4 x double> %1184)
  %1186 = shufflevector <4 x double> %1180, <4 x double> poison, <4 x i32> zeroinitializer
  %1187 = fmul <4 x double> %1143, %1186
  %1188 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1144, <4 x double> %1177, <4 x double> %1187)
  store <4 x double> %1185, ptr %1116, align 32
  store <4 x double> %1188, ptr %1118, align 32
  %1189 = add nuw nsw i64 %1110, 1
  %1190 = icmp eq i64 %1189, %1097
  br i1 %1190, label %1106, label %1109

1191:
  br i1 %734, label %1192, label %1254

1192:
  br i1 %727, label %1193, label %1701

1193:
  %1194 = phi i64 [ %1252, %1193 ], [ 0, %1192 ]
  %1195 = getelementptr inbounds %struct.Complex_f64, ptr %672, i64 %1194
  %1196 = load <4 x double>, ptr %1195, align 32
  %1197 = getelementptr inbounds nuw i8, ptr %1195, i64 32
  %1198 = load <4 x double>, ptr %1197, align 32
  %1199 = getelementptr inbounds nuw i8, ptr %1195, i64 64
  %1200 = getelementptr inbounds nuw i8, ptr %1195, i64 256
  %1201 = load <4 x double>, ptr %1200, align 32
  %1202 = getelementptr inbounds nuw i8, ptr %1195, i64 288
  %1203 = load <4 x double>, ptr %1202, align 32
  %1204 = load <4 x double>, ptr %1199, align 32
  %1205 = getelementptr inbounds nuw i8, ptr %1195, i64 96
  %1206 = load <4 x double>, ptr %1205, align 32
  %1207 = fadd <4 x double> %1201, %1204
  %1208 = fadd <4 x double> %1203, %1206
  %1209 = fsub <4 x double> %1204, %1201
  %1210 = fsub <4 x double> %1206, %1203
  %1211 = fneg <4 x double> %1209
  %1212 = getelementptr inbounds nuw i8, ptr %1195, i64 128
  %1213 = getelementptr inbounds nuw i8, ptr %1195, i64 192
  %1214 = load <4 x double>, ptr %1213, align 32
  %1215 = getelementptr inbounds nuw i8, ptr %1195, i64 224
  %1216 = load <4 x double>, ptr %1215, align 32
  %1217 = load <4 x double>, ptr %1212, align 32
  %1218 = getelementptr inbounds nuw i8, ptr %1195, i64 160
  %1219 = load <4 x double>, ptr %1218, align 32
  %1220 = fadd <4 x double> %1214, %1217
  %1221 = fadd <4 x double> %1216, %1219
  %1222 = fsub <4 x double> %1217, %1214
  %1223 = fsub <4 x double> %1219, %1216
  %1224 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1207, <4 x double> splat (double 0x3FD3C6EF372FE950), <4 x double> %1196)
  %1225 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1220, <4 x double> splat (double 0xBFE9E3779B97F4A8), <4 x double> %1224)
  %1226 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1208, <4 x double> splat (double 0x3FD3C6EF372FE950), <4 x double> %1198)
  %1227 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1221, <4 x double> splat (double 0xBFE9E3779B97F4A8), <4 x double> %1226)
  %1228 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1207, <4 x double> splat (double 0xBFE9E3779B97F4A8), <4 x double> %1196)
  %1229 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1220, <4 x double> splat (double 0x3FD3C6EF372FE950), <4 x double> %1228)
  %1230 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1208, <4 x double> splat (double 0xBFE9E3779B97F4A8), <4 x double> %1198)
  %1231 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1221, <4 x double> splat (double 0x3FD3C6EF372FE950), <4 x double> %1230)
  %1232 = fmul <4 x double> %1223, splat (double 0x3FE2CF2304755A5E)
  %1233 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1210, <4 x double> splat (double 0x3FEE6F0E134454FF), <4 x double> %1232)
  %1234 = fmul <4 x double> %1222, splat (double 0xBFE2CF2304755A5E)
  %1235 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1211, <4 x double> splat (double 0x3FEE6F0E134454FF), <4 x double> %1234)
  %1236 = fmul <4 x double> %1223, splat (double 0xBFEE6F0E134454FF)
  %1237 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1210, <4 x double> splat (double 0x3FE2CF2304755A5E), <4 x double> %1236)
  %1238 = fmul <4 x double> %1222, splat (double 0x3FEE6F0E134454FF)
  %1239 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1211, <4 x double> splat (double 0x3FE2CF2304755A5E), <4 x double> %1238)
  %1240 = fadd <4 x double> %1207, %1220
  %1241 = fadd <4 x double> %1208, %1221
  %1242 = fadd <4 x double> %1196, %1240
  %1243 = fadd <4 x double> %1198, %1241
  store <4 x double> %1242, ptr %1195, align 32
  store <4 x double> %1243, ptr %1197, align 32
  %1244 = fadd <4 x double> %1225, %1233
  %1245 = fadd <4 x double> %1227, %1235
  store <4 x double> %1244, ptr %1199, align 32
  store <4 x double> %1245, ptr %1205, align 32
  %1246 = fadd <4 x double> %1229, %1237
  %1247 = fadd <4 x double> %1231, %1239
  store <4 x double> %1246, ptr %1212, align 32
  store <4 x double> %1247, ptr %1218, align 32
  %1248 = fsub <4 x double> %1229, %1237
  %1249 = fsub <4 x double> %1231, %1239
  store <4 x double> %1248, ptr %1213, align 32
  store <4 x double> %1249, ptr %1215, align 32
  %1250 = fsub <4 x double> %1225, %1233
  %1251 = fsub <4 x double> %1227, %1235
  store <4 x double> %1250, ptr %1200, align 32
  store <4 x double> %1251, ptr %1202, align 32
  %1252 = add i64 %1194, 5
  %1253 = icmp slt i64 %1252, %722
  br i1 %1253, label %1193, label %1701

1254:
  %1255 = sdiv i64 %729, 5
  br i1 %727, label %1256, label %1701

1256:
  %1257 = icmp sgt i64 %729, 4
  %1258 = shl nsw i64 %1255, 8
  %1259 = shl nsw i64 %1255, 7
  %1260 = mul nsw i64 %1255, 192
  br label %1261

1261:
  %1262 = phi i64 [ 0, %1256 ], [ %1266, %1265 ]
  br i1 %1257, label %1263, label %1265

1263:
  %1264 = getelementptr inbounds %struct.Complex_f64, ptr %672, i64 %1262
  br label %1268

1265:
  %1266 = add i64 %1262, %729
  %1267 = icmp slt i64 %1266, %722
  br i1 %1267, label %1261, label %1701

1268:
  %1269 = phi i64 [ 0, %1263 ], [ %1388, %1268 ]
  %1270 = getelementptr inbounds nuw %struct.Complex_f64, ptr %1264, i64 %1269
  %1271 = load <4 x double>, ptr %1270, align 32
  %1272 = getelementptr inbounds nuw i8, ptr %1270, i64 32
  %1273 = load <4 x double>, ptr %1272, align 32
  %1274 = getelementptr inbounds nuw %struct.Complex_f64, ptr %1270, i64 %1255
  %1275 = getelementptr inbounds nuw i8, ptr %1270, i64 %1258
  %1276 = load <4 x double>, ptr %1275, align 32
  %1277 = getelementptr inbounds nuw i8, ptr %1275, i64 32
  %1278 = load <4 x double>, ptr %1277, align 32
  %1279 = load <4 x double>, ptr %1274, align 32
  %1280 = getelementptr inbounds nuw i8, ptr %1274, i64 32
  %1281 = load <4 x double>, ptr %1280, align 32
  %1282 = fadd <4 x double> %1276, %1279
  %1283 = fadd <4 x double> %1278, %1281
  %1284 = fsub <4 x double> %1279, %1276
  %1285 = fsub <4 x double> %1281, %1278
  %1286 = fneg <4 x double> %1284
  %1287 = getelementptr inbounds nuw i8, ptr %1270, i64 %1259
  %1288 = getelementptr inbounds nuw i8, ptr %1270, i64 %1260
  %1289 = load <4 x double>, ptr %1288, align 32
  %1290 = getelementptr inbounds nuw i8, ptr %1288, i64 32
  %1291 = load <4 x double>, ptr %1290, align 32
  %1292 = load <4 x double>, ptr %1287, align 32
  %1293 = getelementptr inbounds nuw i8, ptr %1287, i64 32
  %1294 = load <4 x double>, ptr %1293, align 32
  %1295 = fadd <4 x double> %1289, %1292
  %1296 = fadd <4 x double> %1291, %1294
  %1297 = fsub <4 x double> %1292, %1289
  %1298 = fsub <4 x double> %1294, %1291
  %1299 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1282, <4 x double> splat (double 0x3FD3C6EF372FE950), <4 x double> %1271)
  %1300 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1295, <4 x double> splat (double 0xBFE9E3779B97F4A8), <4 x double> %1299)
  %1301 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1283, <4 x double> splat (double 0x3FD3C6EF372FE950), <4 x double> %1273)
  %1302 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1296, <4 x double> splat (double 0xBFE9E3779B97F4A8), <4 x double> %1301)
  %1303 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1282, <4 x double> splat (double 0xBFE9E3779B97F4A8), <4 x double> %1271)
  %1304 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1295, <4 x double> splat (double 0x3FD3C6EF372FE950), <4 x double> %1303)
  %1305 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1283, <4 x double> splat (double 0xBFE9E3779B97F4A8), <4 x double> %1273)
  %1306 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1296, <4 x double> splat (double 0x3FD3C6EF372FE950), <4 x double> %1305)
  %1307 = fmul <4 x double> %1298, splat (double 0x3FE2CF2304755A5E)
  %1308 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1285, <4 x double> splat (double 0x3FEE6F0E134454FF), <4 x double> %1307)
  %1309 = fmul <4 x double> %1297, splat (double 0xBFE2CF2304755A5E)
  %1310 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1286, <4 x double> splat (double 0x3FEE6F0E134454FF), <4 x double> %1309)
  %1311 = fmul <4 x double> %1298, splat (double 0xBFEE6F0E134454FF)
  %1312 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1285, <4 x double> splat (double 0x3FE2CF2304755A5E), <4 x double> %1311)
  %1313 = fmul <4 x double> %1297, splat (double 0x3FEE6F0E134454FF)
  %1314 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1286, <4 x double> splat (double 0x3FE2CF2304755A5E), <4 x double> %1313)
  %1315 = shl i64 %1269, 6
  %1316 = getelementptr inbounds i8, ptr %730, i64 %1315
  %1317 = fadd <4 x double> %1282, %1295
  %1318 = fadd <4 x double> %1283, %1296
  %1319 = fadd <4 x double> %1271, %1317
  %1320 = fadd <4 x double> %1273, %1318
  store <4 x double> %1319, ptr %1270, align 32
  store <4 x double> %1320, ptr %1272, align 32
  %1321 = fadd <4 x double> %1300, %1308
  %1322 = fadd <4 x double> %1302, %1310
  %1323 = load double, ptr %1316, align 8
  %1324 = insertelement <4 x double> poison, double %1323, i64 0
  %1325 = shufflevector <4 x double> %1324, <4 x double> poison, <4 x i32> zeroinitializer
  %1326 = getelementptr inbounds nuw i8, ptr %1316, i64 8
  %1327 = load double, ptr %1326, align 8
  %1328 = insertelement <4 x double> poison, double %1327, i64 0
  %1329 = fneg double %1327
  %1330 = insertelement <4 x double> poison, double %1329, i64 0
  %1331 = shufflevector <4 x double> %1330, <4 x double> poison, <4 x i32> zeroinitializer
  %1332 = fmul <4 x double> %1322, %1331
  %1333 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1321, <4 x double> %1325, <4 x double> %1332)
  %1334 = shufflevector <4 x double> %1328, <4 x double> poison, <4 x i32> zeroinitializer
  %1335 = fmul <4 x double> %1321, %1334
  %1336 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1322, <4 x double> %1325, <4 x double> %1335)
  store <4 x double> %1333, ptr %1274, align 32
  store <4 x double> %1336, ptr %1280, align 32
  %1337 = fadd <4 x double> %1304, %1312
  %1338 = fadd <4 x double> %1306, %1314
  %1339 = getelementptr inbounds nuw i8, ptr %1316, i64 16
  %1340 = load double, ptr %1339, align 8
  %1341 = insertelement <4 x double> poison, double %1340, i64 0
  %1342 = shufflevector <4 x double> %1341, <4 x double> poison, <4 x i32> zeroinitializer
  %1343 = getelementptr inbounds nuw i8, ptr %1316, i64 24
  %1344 = load double, ptr %1343, align 8
  %1345 = insertelement <4 x double> poison, double %1344, i64 0
  %1346 = fneg double %1344
  %1347 = insertelement <4 x double> poison, double %1346, i64 0
  %1348 = shufflevector <4 x double> %1347, <4 x double> poison, <4 x i32> zeroinitializer
  %1349 = fmul <4 x double> %1338, %1348
  %1350 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1337, <4 x double> %1342, <4 x double> %1349)
  %1351 = shufflevector <4 x double> %1345, <4 x double> poison, <4 x i32> zeroinitializer
  %1352 = fmul <4 x double> %1337, %1351
  %1353 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1338, <4 x double> %1342, <4 x double> %1352)
  store <4 x double> %1350, ptr %1287, align 32
  store <4 x double> %1353, ptr %1293, align 32
  %1354 = fsub <4 x double> %1304, %1312
  %1355 = fsub <4 x double> %1306, %1314
  %1356 = getelementptr inbounds nuw i8, ptr %1316, i64 32
  %1357 = load double, ptr %1356, align 8
  %1358 = insertelement <4 x double> poison, double %1357, i64 0
  %1359 = shufflevector <4 x double> %1358, <4 x double> poison, <4 x i32> zeroinitializer
  %1360 = getelementptr inbounds nuw i8, ptr %1316, i64 40
  %1361 = load double, ptr %1360, align 8
  %1362 = insertelement <4 x double> poison, double %1361, i64 0
  %1363 = fneg double %1361
  %1364 = insertelement <4 x double> poison, double %1363, i64 0
  %1365 = shufflevector <4 x double> %1364, <4 x double> poison, <4 x i32> zeroinitializer
  %1366 = fmul <4 x double> %1355, %1365
  %1367 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1354, <4 x double> %1359, <4 x double> %1366)
  %1368 = shufflevector <4 x double> %1362, <4 x double> poison, <4 x i32> zeroinitializer
  %1369 = fmul <4 x double> %1354, %1368
  %1370 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1355, <4 x double> %1359, <4 x double> %1369)
  store <4 x double> %1367, ptr %1288, align 32
  store <4 x double> %1370, ptr %1290, align 32
  %1371 = fsub <4 x double> %1300, %1308
  %1372 = fsub <4 x double> %1302, %1310
  %1373 = getelementptr inbounds nuw i8, ptr %1316, i64 48
  %1374 = load double, ptr %1373, align 8
  %1375 = insertelement <4 x double> poison, double %1374, i64 0
  %1376 = shufflevector <4 x double> %1375, <4 x double> poison, <4 x i32> zeroinitializer
  %1377 = getelementptr inbounds nuw i8, ptr %1316, i64 56
  %1378 = load double, ptr %1377, align 8
  %1379 = insertelement <4 x double> poison, double %1378, i64 0
  %1380 = fneg double %1378
  %1381 = insertelement <4 x double> poison, double %1380, i64 0
  %1382 = shufflevector <4 x double> %1381, <4 x double> poison, <4 x i32> zeroinitializer
  %1383 = fmul <4 x double> %1372, %1382
  %1384 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1371, <4 x double> %1376, <4 x double> %1383)
  %1385 = shufflevector <4 x double> %1379, <4 x double> poison, <4 x i32> zeroinitializer
  %1386 = fmul <4 x double> %1371, %1385
  %1387 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1372, <4 x double> %1376, <4 x double> %1386)
  store <4 x double> %1384, ptr %1275, align 32
  store <4 x double> %1387, ptr %1277, align 32
  %1388 = add nuw nsw i64 %1269, 1
  %1389 = icmp eq i64 %1388, %1255
  br i1 %1389, label %1265, label %1268

1390:
  br i1 %734, label %1391, label %1485

1391:
  br i1 %727, label %1392, label %1701

1392:
  %1393 = phi i64 [ %1483, %1392 ], [ 0, %1391 ]
  %1394 = getelementptr inbounds nuw %struct.Complex_f64, ptr %672, i64 %1393
  %1395 = getelementptr inbounds nuw i8, ptr %1394, i64 64
  %1396 = getelementptr inbounds nuw i8, ptr %1394, i64 320
  %1397 = load <4 x double>, ptr %1396, align 32
  %1398 = getelementptr inbounds nuw i8, ptr %1394, i64 352
  %1399 = load <4 x double>, ptr %1398, align 32
  %1400 = load <4 x double>, ptr %1395, align 32
  %1401 = getelementptr inbounds nuw i8, ptr %1394, i64 96
  %1402 = load <4 x double>, ptr %1401, align 32
  %1403 = fsub <4 x double> %1400, %1397
  %1404 = fsub <4 x double> %1402, %1399
  %1405 = getelementptr inbounds nuw i8, ptr %1394, i64 192
  %1406 = getelementptr inbounds nuw i8, ptr %1394, i64 448
  %1407 = load <4 x double>, ptr %1406, align 32
  %1408 = getelementptr inbounds nuw i8, ptr %1394, i64 480
  %1409 = load <4 x double>, ptr %1408, align 32
  %1410 = load <4 x double>, ptr %1405, align 32
  %1411 = getelementptr inbounds nuw i8, ptr %1394, i64 224
  %1412 = load <4 x double>, ptr %1411, align 32
  %1413 = fsub <4 x double> %1410, %1407
  %1414 = fsub <4 x double> %1412, %1409
  %1415 = fadd <4 x double> %1403, %1404
  %1416 = fmul <4 x double> %1415, splat (double 0x3FE6A09E667F3BCD)
  %1417 = fsub <4 x double> %1404, %1403
  %1418 = fmul <4 x double> %1417, splat (double 0x3FE6A09E667F3BCD)
  %1419 = fsub <4 x double> %1414, %1413
  %1420 = fmul <4 x double> %1419, splat (double 0x3FE6A09E667F3BCD)
  %1421 = fneg <4 x double> %1413
  %1422 = fsub <4 x double> %1421, %1414
  %1423 = fmul <4 x double> %1422, splat (double 0x3FE6A09E667F3BCD)
  %1424 = getelementptr inbounds nuw i8, ptr %1394, i64 256
  %1425 = load <4 x double>, ptr %1424, align 32
  %1426 = getelementptr inbounds nuw i8, ptr %1394, i64 288
  %1427 = load <4 x double>, ptr %1426, align 32
  %1428 = load <4 x double>, ptr %1394, align 32
  %1429 = getelementptr inbounds nuw i8, ptr %1394, i64 32
  %1430 = load <4 x double>, ptr %1429, align 32
  %1431 = fsub <4 x double> %1428, %1425
  %1432 = fsub <4 x double> %1430, %1427
  %1433 = getelementptr inbounds nuw i8, ptr %1394, i64 128
  %1434 = getelementptr inbounds nuw i8, ptr %1394, i64 384
  %1435 = load <4 x double>, ptr %1434, align 32
  %1436 = getelementptr inbounds nuw i8, ptr %1394, i64 416
  %1437 = load <4 x double>, ptr %1436, align 32
  %1438 = load <4 x double>, ptr %1433, align 32
  %1439 = getelementptr inbounds nuw i8, ptr %1394, i64 160
  %1440 = load <4 x double>, ptr %1439, align 32
  %1441 = fsub <4 x double> %1438, %1435
  %1442 = fsub <4 x double> %1440, %1437
  %1443 = fadd <4 x double> %1431, %1442
  %1444 = fsub <4 x double> %1432, %1441
  %1445 = fsub <4 x double> %1431, %1442
  %1446 = fadd <4 x double> %1432, %1441
  %1447 = fadd <4 x double> %1416, %1420
  %1448 = fadd <4 x double> %1418, %1423
  %1449 = fsub <4 x double> %1416, %1420
  %1450 = fsub <4 x double> %1418, %1423
  %1451 = fadd <4 x double> %1447, %1443
  %1452 = fadd <4 x double> %1448, %1444
  %1453 = fadd <4 x double> %1450, %1445
  %1454 = fsub <4 x double> %1446, %1449
  %1455 = fsub <4 x double> %1443, %1447
  %1456 = fsub <4 x double> %1444, %1448
  %1457 = fsub <4 x double> %1445, %1450
  %1458 = fadd <4 x double> %1449, %1446
  %1459 = fadd <4 x double> %1425, %1428
  %1460 = fadd <4 x double> %1427, %1430
  %1461 = fadd <4 x double> %1397, %1400
  %1462 = fadd <4 x double> %1399, %1402
  %1463 = fadd <4 x double> %1435, %1438
  %1464 = fadd <4 x double> %1437, %1440
  %1465 = fadd <4 x double> %1407, %1410
  %1466 = fadd <4 x double> %1409, %1412
  %1467 = fadd <4 x double> %1459, %1463
  %1468 = fadd <4 x double> %1460, %1464
  %1469 = fsub <4 x double> %1459, %1463
  %1470 = fsub <4 x double> %1460, %1464
  %1471 = fadd <4 x double> %1461, %1465
  %1472 = fadd <4 x double> %1462, %1466
  %1473 = fsub <4 x double> %1461, %1465
  %1474 = fsub <4 x double> %1462, %1466
  %1475 = fadd <4 x double> %1471, %1467
  %1476 = fadd <4 x double> %1472, %1468
  %1477 = fadd <4 x double> %1474, %1469
  %1478 = fsub <4 x double> %1470, %1473
  %1479 = fsub <4 x double> %1467, %1471
  %1480 = fsub <4 x double> %1468, %1472
  %1481 = fsub <4 x double> %1469, %1474
  %1482 = fadd <4 x double> %1473, %1470
  store <4 x double> %1475, ptr %1394, align 32
  store <4 x double> %1476, ptr %1429, align 32
  store <4 x double> %1451, ptr %1395, align 32
  store <4 x double> %1452, ptr %1401, align 32
  store <4 x double> %1477, ptr %1433, align 32
  store <4 x double> %1478, ptr %1439, align 32
  store <4 x double> %1453, ptr %1405, align 32
  store <4 x double> %1454, ptr %1411, align 32
  store <4 x double> %1479, ptr %1424, align 32
  store <4 x double> %1480, ptr %1426, align 32
  store <4 x double> %1455, ptr %1396, align 32
  store <4 x double> %1456, ptr %1398, align 32
  store <4 x double> %1481, ptr %1434, align 32
  store <4 x double> %1482, ptr %1436, align 32
  store <4 x double> %1457, ptr %1406, align 32
  store <4 x double> %1458, ptr %1408, align 32
  %1483 = add nuw nsw i64 %1393, 8
  %1484 = icmp slt i64 %1483, %722
  br i1 %1484, label %1392, label %1701

1485:
  %1486 = sdiv i64 %729, 8
  br i1 %727, label %1487, label %1701

1487:
  %1488 = icmp sgt i64 %729, 7
  %1489 = mul nsw i64 %1486, 320
  %1490 = mul nsw i64 %1486, 192
  %1491 = mul nsw i64 %1486, 448
  %1492 = shl nsw i64 %1486, 8
  %1493 = shl nsw i64 %1486, 7
  %1494 = mul nsw i64 %1486, 384
  br label %1495

1495:
  %1496 = phi i64 [ 0, %1487 ], [ %1500, %1499 ]
  br i1 %1488, label %1497, label %1499

1497:
  %1498 = getelementptr inbounds %struct.Complex_f64, ptr %672, i64 %1496
  br label %1502

1499:
  %1500 = add i64 %1496, %729
  %1501 = icmp slt i64 %1500, %722
  br i1 %1501, label %1495, label %1701

1502:
  %1503 = phi i64 [ 0, %1497 ], [ %1699, %1502 ]
  %1504 = getelementptr inbounds nuw %struct.Complex_f64, ptr %1498, i64 %1503
  %1505 = mul i64 %1503, 112
  %1506 = getelementptr inbounds i8, ptr %730, i64 %1505
  %1507 = getelementptr inbounds nuw %struct.Complex_f64, ptr %1504, i64 %1486
  %1508 = getelementptr inbounds nuw i8, ptr %1504, i64 %1489
  %1509 = load <4 x double>, ptr %1508, align 32
  %1510 = getelementptr inbounds nuw i8, ptr %1508, i64 32
  %1511 = load <4 x double>, ptr %1510, align 32
  %1512 = load <4 x double>, ptr %1507, align 32
  %1513 = getelementptr inbounds nuw i8, ptr %1507, i64 32
  %1514 = load <4 x double>, ptr %1513, align 32
  %1515 = fsub <4 x double> %1512, %1509
  %1516 = fsub <4 x double> %1514, %1511
  %1517 = getelementptr inbounds nuw i8, ptr %1504, i64 %1490
  %1518 = getelementptr inbounds nuw i8, ptr %1504, i64 %1491
  %1519 = load <4 x double>, ptr %1518, align 32
  %1520 = getelementptr inbounds nuw i8, ptr %1518, i64 32
  %1521 = load <4 x double>, ptr %1520, align 32
  %1522 = load <4 x double>, ptr %1517, align 32
  %1523 = getelementptr inbounds nuw i8, ptr %1517, i64 32
  %1524 = load <4 x double>, ptr %1523, align 32
  %1525 = fsub <4 x double> %1522, %1519
  %1526 = fsub <4 x double> %1524, %1521
  %1527 = fadd <4 x double> %1515, %1516
  %1528 = fmul <4 x double> %1527, splat (double 0x3FE6A09E667F3BCD)
  %1529 = fsub <4 x double> %1516, %1515
  %1530 = fmul <4 x double> %1529, splat (double 0x3FE6A09E667F3BCD)
  %1531 = fsub <4 x double> %1526, %1525
  %1532 = fmul <4 x double> %1531, splat (double 0x3FE6A09E667F3BCD)
  %1533 = fneg <4 x double> %1525
  %1534 = fsub <4 x double> %1533, %1526
  %1535 = fmul <4 x double> %1534, splat (double 0x3FE6A09E667F3BCD)
  %1536 = getelementptr inbounds nuw i8, ptr %1504, i64 %1492
  %1537 = load <4 x double>, ptr %1536, align 32
  %1538 = getelementptr inbounds nuw i8, ptr %1536, i64 32
  %1539 = load <4 x double>, ptr %1538, align 32
  %1540 = load <4 x double>, ptr %1504, align 32
  %1541 = getelementptr inbounds nuw i8, ptr %1504, i64 32
  %1542 = load <4 x double>, ptr %1541, align 32
  %1543 = fsub <4 x double> %1540, %1537
  %1544 = fsub <4 x double> %1542, %1539
  %1545 = getelementptr inbounds nuw i8, ptr %1504, i64 %1493
  %1546 = getelementptr inbounds nuw i8, ptr %1504, i64 %1494
  %1547 = load <4 x double>, ptr %1546, align 32
  %1548 = getelementptr inbounds nuw i8, ptr %1546, i64 32
  %1549 = load <4 x double>, ptr %1548, align 32
  %1550 = load <4 x double>, ptr %1545, align 32
  %1551 = getelementptr inbounds nuw i8, ptr %1545, i64 32
  %1552 = load <4 x double>, ptr %1551, align 32
  %1553 = fsub <4 x double> %1550, %1547
  %1554 = fsub <4 x double> %1552, %1549
  %1555 = fadd <4 x double> %1543, %1554
  %1556 = fsub <4 x double> %1544, %1553
  %1557 = fsub <4 x double> %1543, %1554
  %1558 = fadd <4 x double> %1544, %1553
  %1559 = fadd <4 x double> %1528, %1532
  %1560 = fadd <4 x double> %1530, %1535
  %1561 = fsub <4 x double> %1528, %1532
  %1562 = fsub <4 x double> %1530, %1535
  %1563 = fadd <4 x double> %1559, %1555
  %1564 = fadd <4 x double> %1560, %1556
  %1565 = fadd <4 x double> %1562, %1557
  %1566 = fsub <4 x double> %1558, %1561
  %1567 = fsub <4 x double> %1555, %1559
  %1568 = fsub <4 x double> %1556, %1560
  %1569 = fsub <4 x double> %1557, %1562
  %1570 = fadd <4 x double> %1561, %1558
  %1571 = fadd <4 x double> %1537, %1540
  %1572 = fadd <4 x double> %1539, %1542
  %1573 = fadd <4 x double> %1509, %1512
  %1574 = fadd <4 x double> %1511, %1514
  %1575 = fadd <4 x double> %1547, %1550
  %1576 = fadd <4 x double> %1549, %1552
  %1577 = fadd <4 x double> %1519, %1522
  %1578 = fadd <4 x double> %1521, %1524
  %1579 = fadd <4 x double> %1571, %1575
  %1580 = fadd <4 x double> %1572, %1576
  %1581 = fsub <4 x double> %1571, %1575
  %1582 = fsub <4 x double> %1572, %1576
  %1583 = fadd <4 x double> %1573, %1577
  %1584 = fadd <4 x double> %1574, %1578
  %1585 = fsub <4 x double> %1573, %1577
  %1586 = fsub <4 x double> %1574, %1578
  %1587 = fadd <4 x double> %1583, %1579
  %1588 = fadd <4 x double> %1584, %1580
  %1589 = fadd <4 x double> %1586, %1581
  %1590 = fsub <4 x double> %1582, %1585
  %1591 = fsub <4 x double> %1579, %1583
  %1592 = fsub <4 x double> %1580, %1584
  %1593 = fsub <4 x double> %1581, %1586
  %1594 = fadd <4 x double> %1585, %1582
  store <4 x double> %1587, ptr %1504, align 32
  store <4 x double> %1588, ptr %1541, align 32
  %1595 = load double, ptr %1506, align 8
  %1596 = insertelement <4 x double> poison, double %1595, i64 0
  %1597 = shufflevector <4 x double> %1596, <4 x double> poison, <4 x i32> zeroinitializer
  %1598 = getelementptr inbounds nuw i8, ptr %1506, i64 8
  %1599 = load double, ptr %1598, align 8
  %1600 = insertelement <4 x double> poison, double %1599, i64 0
  %1601 = fneg double %1599
  %1602 = insertelement <4 x double> poison, double %1601, i64 0
  %1603 = shufflevector <4 x double> %1602, <4 x double> poison, <4 x i32> zeroinitializer
  %1604 = fmul <4 x double> %1564, %1603
  %1605 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1563, <4 x double> %1597, <4 x double> %1604)
  %1606 = shufflevector <4 x double> %1600, <4 x double> poison, <4 x i32> zeroinitializer
  %1607 = fmul <4 x double> %1563, %1606
  %1608 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1564, <4 x double> %1597, <4 x double> %1607)
  store <4 x double> %1605, ptr %1507, align 32
  store <4 x double> %1608, ptr %1513, align 32
  %1609 = getelementptr inbounds nuw i8, ptr %1506, i64 16
  %1610 = load double, ptr %1609, align 8
  %1611 = insertelement <4 x double> poison, double %1610, i64 0
  %1612 = shufflevector <4 x double> %1611, <4 x double> poison, <4 x i32> zeroinitializer
  %1613 = getelementptr inbounds nuw i8, ptr %1506, i64 24
  %1614 = load double, ptr %1613, align 8
  %1615 = insertelement <4 x double> poison, double %1614, i64 0
  %1616 = fneg double %1614
  %1617 = insertelement <4 x double> poison, double %1616, i64 0
  %1618 = shufflevector <4 x double> %1617, <4 x double> poison, <4 x i32> zeroinitializer
  %1619 = fmul <4 x double> %1590, %1618
  %1620 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1589, <4 x double> %1612, <4 x double> %1619)
  %1621 = shufflevector <4 x double> %1615, <4 x double> poison, <4 x i32> zeroinitializer
  %1622 = fmul <4 x double> %1589, %1621
  %1623 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1590, <4 x double> %1612, <4 x double> %1622)
  store <4 x double> %1620, ptr %1545, align 32
  store <4 x double> %1623, ptr %1551, align 32
  %1624 = getelementptr inbounds nuw i8, ptr %1506, i64 32
  %1625 = load double, ptr %1624, align 8
  %1626 = insertelement <4 x double> poison, double %1625, i64 0
  %1627 = shufflevector <4 x double> %1626, <4 x double> poison, <4 x i32> zeroinitializer
  %1628 = getelementptr inbounds nuw i8, ptr %1506, i64 40
  %1629 = load double, ptr %1628, align 8
  %1630 = insertelement <4 x double> poison, double %1629, i64 0
  %1631 = fneg double %1629
  %1632 = insertelement <4 x double> poison, double %1631, i64 0
  %1633 = shufflevector <4 x double> %1632, <4 x double> poison, <4 x i32> zeroinitializer
  %1634 = fmul <4 x double> %1566, %1633
  %1635 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1565, <4 x double> %1627, <4 x double> %1634)
  %1636 = shufflevector <4 x double> %1630, <4 x double> poison, <4 x i32> zeroinitializer
  %1637 = fmul <4 x double> %1565, %1636
  %1638 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1566, <4 x double> %1627, <4 x double> %1637)
  store <4 x double> %1635, ptr %1517, align 32
  store <4 x double> %1638, ptr %1523, align 32
  %1639 = getelementptr inbounds nuw i8, ptr %1506, i64 48
  %1640 = load double, ptr %1639, align 8
  %1641 = insertelement <4 x double> poison, double %1640, i64 0
  %1642 = shufflevector <4 x double> %1641, <4 x double> poison, <4 x i32> zeroinitializer
  %1643 = getelementptr inbounds nuw i8, ptr %1506, i64 56
  %1644 = load double, ptr %1643, align 8
  %1645 = insertelement <4 x double> poison, double %1644, i64 0
  %1646 = fneg double %1644
  %1647 = insertelement <4 x double> poison, double %1646, i64 0
  %1648 = shufflevector <4 x double> %1647, <4 x double> poison, <4 x i32> zeroinitializer
  %1649 = fmul <4 x double> %1592, %1648
  %1650 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1591, <4 x double> %1642, <4 x double> %1649)
  %1651 = shufflevector <4 x double> %1645, <4 x double> poison, <4 x i32> zeroinitializer
  %1652 = fmul <4 x double> %1591, %1651
  %1653 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1592, <4 x double> %1642, <4 x double> %1652)
  store <4 x double> %1650, ptr %1536, align 32
  store <4 x double> %1653, ptr %1538, align 32
  %1654 = getelementptr inbounds nuw i8, ptr %1506, i64 64
  %1655 = load double, ptr %1654, align 8
  %1656 = insertelement <4 x double> poison, double %1655, i64 0
  %1657 = shufflevector <4 x double> %1656, <4 x double> poison, <4 x i32> zeroinitializer
  %1658 = getelementptr inbounds nuw i8, ptr %1506, i64 72
  %1659 = load double, ptr %1658, align 8
  %1660 = insertelement <4 x double> poison, double %1659, i64 0
  %1661 = fneg double %1659
  %1662 = insertelement <4 x double> poison, double %1661, i64 0
  %1663 = shufflevector <4 x double> %1662, <4 x double> poison, <4 x i32> zeroinitializer
  %1664 = fmul <4 x double> %1568, %1663
  %1665 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1567, <4 x double> %1657, <4 x double> %1664)
  %1666 = shufflevector <4 x double> %1660, <4 x double> poison, <4 x i32> zeroinitializer
  %1667 = fmul <4 x double> %1567, %1666
  %1668 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1568, <4 x double> %1657, <4 x double> %1667)
  store <4 x double> %1665, ptr %1508, align 32
  store <4 x double> %1668, ptr %1510, align 32
  %1669 = getelementptr inbounds nuw i8, ptr %1506, i64 80
  %1670 = load double, ptr %1669, align 8
  %1671 = insertelement <4 x double> poison, double %1670, i64 0
  %1672 = shufflevector <4 x double> %1671, <4 x double> poison, <4 x i32> zeroinitializer
  %1673 = getelementptr inbounds nuw i8, ptr %1506, i64 88
  %1674 = load double, ptr %1673, align 8
  %1675 = insertelement <4 x double> poison, double %1674, i64 0
  %1676 = fneg double %1674
  %1677 = insertelement <4 x double> poison, double %1676, i64 0
  %1678 = shufflevector <4 x double> %1677, <4 x double> poison, <4 x i32> zeroinitializer
  %1679 = fmul <4 x double> %1594, %1678
  %1680 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1593, <4 x double> %1672, <4 x double> %1679)
  %1681 = shufflevector <4 x double> %1675, <4 x double> poison, <4 x i32> zeroinitializer
  %1682 = fmul <4 x double> %1593, %1681
  %1683 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1594, <4 x double> %1672, <4 x double> %1682)
  store <4 x double> %1680, ptr %1546, align 32
  store <4 x double> %1683, ptr %1548, align 32
  %1684 = getelementptr inbounds nuw i8, ptr %1506, i64 96
  %1685 = load double, ptr %1684, align 8
  %1686 = insertelement <4 x double> poison, double %1685, i64 0
  %1687 = shufflevector <4 x double> %1686, <4 x double> poison, <4 x i32> zeroinitializer
  %1688 = getelementptr inbounds nuw i8, ptr %1506, i64 104
  %1689 = load double, ptr %1688, align 8
  %1690 = insertelement <4 x double> poison, double %1689, i64 0
  %1691 = fneg double %1689
  %1692 = insertelement <4 x double> poison, double %1691, i64 0
  %1693 = shufflevector <4 x double> %1692, <4 x double> poison, <4 x i32> zeroinitializer
  %1694 = fmul <4 x double> %1570, %1693
  %1695 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1569, <4 x double> %1687, <4 x double> %1694)
  %1696 = shufflevector <4 x double> %1690, <4 x double> poison, <4 x i32> zeroinitializer
  %1697 = fmul <4 x double> %1569, %1696
  %1698 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1570, <4 x double> %1687, <4 x double> %1697)
  store <4 x double> %1695, ptr %1518, align 32
  store <4 x double> %1698, ptr %1520, align 32
  %1699 = add nuw nsw i64 %1503, 1
  %1700 = icmp eq i64 %1699, %1486
  br i1 %1700, label %1499, label %1502

1701:
  %1702 = phi ptr [ %730, %891 ], [ %730, %1254 ], [ %730, %1391 ], [ %730, %1485 ], [ %730, %893 ], [ %730, %910 ], [ %730, %954 ], [ %730, %985 ], [ %730, %1059 ], [ %730, %1096 ], [ %730, %1192 ], [ %740, %738 ], [ %730, %894 ], [ %730, %918 ], [ %730, %955 ], [ %730, %994 ], [ %730, %1060 ], [ %730, %1106 ], [ %730, %1193 ], [ %730, %1265 ], [ %730, %1392 ], [ %740, %754 ], [ %730, %1499 ]
  %1703 = sdiv i64 %729, %733
  %1704 = shl i64 %733, 1
  %1705 = add i64 %1704, -2
  %1706 = mul i64 %1703, %1705
  %1707 = getelementptr inbounds double, ptr %1702, i64 %1706
  %1708 = add nuw nsw i64 %731, 1
  %1709 = load i64, ptr %293, align 8
  %1710 = icmp slt i64 %1708, %1709
  br i1 %1710, label %728, label %1711

1711:
  %1712 = load i64, ptr %290, align 8
  %1713 = icmp eq i64 %1712, 1
  br i1 %1713, label %1714, label %1778

1714:
  %1715 = load i64, ptr %291, align 8
  %1716 = load ptr, ptr %296, align 8
  %1717 = load ptr, ptr %292, align 8
  %1718 = load <4 x double>, ptr %672, align 32
  %1719 = getelementptr inbounds nuw i8, ptr %672, i64 32
  %1720 = load <4 x double>, ptr %1719, align 32
  %1721 = fadd <4 x double> %1718, %1720
  store <4 x double> %1721, ptr %672, align 32
  store <4 x double> zeroinitializer, ptr %1719, align 32
  %1722 = getelementptr inbounds %struct.Complex_f64, ptr %672, i64 %1715
  %1723 = fsub <4 x double> %1718, %1720
  store <4 x double> %1723, ptr %1722, align 32
  %1724 = getelementptr inbounds nuw i8, ptr %1722, i64 32
  store <4 x double> zeroinitializer, ptr %1724, align 32
  %1725 = icmp slt i64 %1715, 2
  br i1 %1725, label %1778, label %1726

1726:
  %1727 = phi i64 [ %1776, %1726 ], [ 2, %1714 ]
  %1728 = phi i64 [ %1775, %1726 ], [ 1, %1714 ]
  %1729 = getelementptr inbounds i32, ptr %1716, i64 %1728
  %1730 = load i32, ptr %1729, align 4
  %1731 = sext i32 %1730 to i64
  %1732 = getelementptr inbounds %struct.Complex_f64, ptr %672, i64 %1731
  %1733 = load <4 x double>, ptr %1732, align 32
  %1734 = getelementptr inbounds nuw i8, ptr %1732, i64 32
  %1735 = load <4 x double>, ptr %1734, align 32
  %1736 = sub i64 %1715, %1728
  %1737 = getelementptr inbounds i32, ptr %1716, i64 %1736
  %1738 = load i32, ptr %1737, align 4
  %1739 = sext i32 %1738 to i64
  %1740 = getelementptr inbounds %struct.Complex_f64, ptr %672, i64 %1739
  %1741 = load <4 x double>, ptr %1740, align 32
  %1742 = getelementptr inbounds nuw i8, ptr %1740, i64 32
  %1743 = load <4 x double>, ptr %1742, align 32
  %1744 = fadd <4 x double> %1733, %1741
  %1745 = fsub <4 x double> %1735, %1743
  %1746 = fmul <4 x double> %1744, splat (double 5.000000e-01)
  %1747 = fmul <4 x double> %1745, splat (double 5.000000e-01)
  %1748 = fadd <4 x double> %1735, %1743
  %1749 = fmul <4 x double> %1748, splat (double 5.000000e-01)
  %1750 = fsub <4 x double> %1741, %1733
  %1751 = fmul <4 x double> %1750, splat (double 5.000000e-01)
  %1752 = getelementptr inbounds double, ptr %1717, i64 %1727
  %1753 = load double, ptr %1752, align 8
  %1754 = insertelement <4 x double> poison, double %1753, i64 0
  %1755 = shufflevector <4 x double> %1754, <4 x double> poison, <4 x i32> zeroinitializer
  %1756 = getelementptr inbounds nuw i8, ptr %1752, i64 8
  %1757 = load double, ptr %1756, align 8
  %1758 = insertelement <4 x double> poison, double %1757, i64 0
  %1759 = fneg double %1757
  %1760 = insertelement <4 x double> poison, double %1759, i64 0
  %1761 = shufflevector <4 x double> %1760, <4 x double> poison, <4 x i32> zeroinitializer
  %1762 = fmul <4 x double> %1751, %1761
  %1763 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1749, <4 x double> %1755, <4 x double> %1762)
  %1764 = shufflevector <4 x double> %1758, <4 x double> poison, <4 x i32> zeroinitializer
  %1765 = fmul <4 x double> %1749, %1764
  %1766 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1751, <4 x double> %1755, <4 x double> %1765)
  %1767 = fadd <4 x double> %1746, %1763
  %1768 = fadd <4 x double> %1747, %1766
  store <4 x double> %1767, ptr %1732, align 32
  store <4 x double> %1768, ptr %1734, align 32
  %1769 = load i32, ptr %1737, align 4
  %1770 = sext i32 %1769 to i64
  %1771 = getelementptr inbounds %struct.Complex_f64, ptr %672, i64 %1770
  %1772 = fsub <4 x double> %1746, %1763
  %1773 = fsub <4 x double> %1766, %1747
  store <4 x double> %1772, ptr %1771, align 32
  %1774 = getelementptr inbounds nuw i8, ptr %1771, i64 32
  store <4 x double> %1773, ptr %1774, align 32
  %1775 = add i64 %1728, 1
  %1776 = shl i64 %1775, 1
  %1777 = icmp sgt i64 %1776, %1715
  br i1 %1777, label %1778, label %1726

1778:
  %1779 = add nuw nsw i64 %669, 1
  %1780 = icmp eq i64 %669, %298
  br i1 %1780, label %323, label %668

1781:
  br label %1892

1782:
  %1783 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %1784 = load i64, ptr %1783, align 8
  %1785 = shl i64 %59, 8
  %1786 = add i64 %1785, 256
  %1787 = sdiv i64 %1784, 2
  %1788 = add nsw i64 %1787, 1
  %1789 = tail call i64 @llvm.smin.i64(i64 %1786, i64 %1788)
  %1790 = getelementptr inbounds nuw i8, ptr %0, i64 240
  %1791 = load ptr, ptr %1790, align 8
  %1792 = getelementptr inbounds nuw i8, ptr %0, i64 248
  %1793 = load ptr, ptr %1792, align 8
  %1794 = shl i64 %59, 4
  %1795 = getelementptr inbounds i8, ptr %1793, i64 %1794
  %1796 = icmp slt i64 %1785, %1789
  br i1 %1796, label %1797, label %1892

1797:
  %1798 = getelementptr inbounds nuw i8, ptr %1795, i64 8
  %1799 = getelementptr inbounds nuw i8, ptr %57, i64 8
  %1800 = shl i64 %1784, 4
  %1801 = getelementptr inbounds i8, ptr %57, i64 %1800
  %1802 = getelementptr i8, ptr %1801, i64 8
  br label %1803

1803:
  %1804 = phi i64 [ %1785, %1797 ], [ %1890, %1889 ]
  %1805 = sub i64 %1784, %1804
  %1806 = shl i64 %1804, 1
  %1807 = getelementptr inbounds double, ptr %45, i64 %1806
  %1808 = load double, ptr %1807, align 8
  %1809 = or disjoint i64 %1806, 1
  %1810 = getelementptr inbounds double, ptr %45, i64 %1809
  %1811 = load double, ptr %1810, align 8
  %1812 = sub i64 %1804, %1785
  %1813 = shl i64 %1812, 4
  %1814 = getelementptr inbounds i8, ptr %1791, i64 %1813
  %1815 = load double, ptr %1814, align 8
  %1816 = load double, ptr %1795, align 8
  %1817 = getelementptr inbounds nuw i8, ptr %1814, i64 8
  %1818 = load double, ptr %1817, align 8
  %1819 = load double, ptr %1798, align 8
  %1820 = fneg double %1819
  %1821 = fmul double %1818, %1820
  %1822 = tail call double @llvm.fmuladd.f64(double %1815, double %1816, double %1821)
  %1823 = fmul double %1816, %1818
  %1824 = tail call double @llvm.fmuladd.f64(double %1815, double %1819, double %1823)
  %1825 = load i64, ptr %0, align 8
  %1826 = icmp eq i64 %1825, 1
  br i1 %1826, label %1827, label %1860

1827:
  %1828 = icmp eq i64 %1804, 0
  br i1 %1828, label %1829, label %1832

1829:
  %1830 = fadd double %1808, %1811
  store double %1830, ptr %57, align 8
  store double 0.000000e+00, ptr %1799, align 8
  %1831 = fsub double %1808, %1811
  store double %1831, ptr %1801, align 8
  store double 0.000000e+00, ptr %1802, align 8
  br label %1889

1832:
  %1833 = shl i64 %1805, 1
  %1834 = getelementptr inbounds double, ptr %45, i64 %1833
  %1835 = load double, ptr %1834, align 8
  %1836 = or disjoint i64 %1833, 1
  %1837 = getelementptr inbounds double, ptr %45, i64 %1836
  %1838 = load double, ptr %1837, align 8
  %1839 = fadd double %1808, %1835
  %1840 = fmul double %1839, 5.000000e-01
  %1841 = fsub double %1811, %1838
  %1842 = fmul double %1841, 5.000000e-01
  %1843 = fadd double %1811, %1838
  %1844 = fmul double %1843, 5.000000e-01
  %1845 = fsub double %1835, %1808
  %1846 = fmul double %1845, 5.000000e-01
  %1847 = fneg double %1824
  %1848 = fmul double %1846, %1847
  %1849 = tail call double @llvm.fmuladd.f64(double %1844, double %1822, double %1848)
  %1850 = fmul double %1824, %1844
  %1851 = tail call double @llvm.fmuladd.f64(double %1846, double %1822, double %1850)
  %1852 = fadd double %1840, %1849
  %1853 = getelementptr inbounds double, ptr %57, i64 %1806
  store double %1852, ptr %1853, align 8
  %1854 = fadd double %1842, %1851
  %1855 = getelementptr inbounds double, ptr %57, i64 %1809
  store double %1854, ptr %1855, align 8
  %1856 = fsub double %1840, %1849
  %1857 = getelementptr inbounds double, ptr %57, i64 %1833
  store double %1856, ptr %1857, align 8
  %1858 = fsub double %1851, %1842
  %1859 = getelementptr inbounds double, ptr %57, i64 %1836
  store double %1858, ptr %1859, align 8
  br label %1889

1860:
  %1861 = shl i64 %1805, 1
  %1862 = getelementptr inbounds double, ptr %45, i64 %1861
  %1863 = load double, ptr %1862, align 8
  %1864 = icmp eq i64 %1804, 0
  br i1 %1864, label %1865, label %1868

1865:
  %1866 = fsub double %1808, %1863
  store double %1866, ptr %57, align 8
  %1867 = fadd double %1808, %1863
  store double %1867, ptr %1799, align 8
  br label %1889

1868:
  %1869 = or disjoint i64 %1861, 1
  %1870 = getelementptr inbounds double, ptr %45, i64 %1869
  %1871 = load double, ptr %1870, align 8
  %1872 = fadd double %1808, %1863
  %1873 = fsub double %1811, %1871
  %1874 = fsub double %1808, %1863
  %1875 = fadd double %1811, %1871
  %1876 = fmul double %1824, %1875
  %1877 = tail call double @llvm.fmuladd.f64(double %1874, double %1822, double %1876)
  %1878 = fneg double %1824
  %1879 = fmul double %1874, %1878
  %1880 = tail call double @llvm.fmuladd.f64(double %1875, double %1822, double %1879)
  %1881 = fadd double %1873, %1877
  %1882 = getelementptr inbounds double, ptr %57, i64 %1806
  store double %1881, ptr %1882, align 8
  %1883 = fsub double %1872, %1880
  %1884 = getelementptr inbounds double, ptr %57, i64 %1809
  store double %1883, ptr %1884, align 8
  %1885 = fsub double %1877, %1873
  %1886 = getelementptr inbounds double, ptr %57, i64 %1861
  store double %1885, ptr %1886, align 8
  %1887 = fadd double %1872, %1880
  %1888 = getelementptr inbounds double, ptr %57, i64 %1869
  store double %1887, ptr %1888, align 8
  br label %1889

1889:
  %1890 = add nsw i64 %1804, 1
  %1891 = icmp eq i64 %1890, %1789
  br i1 %1891, label %1892, label %1803

1892:
  ret void
}

define void @begin(ptr %0, i64 %1, i64 %2, i64 %3) nounwind {
  %5 = getelementptr inbounds nuw i8, ptr %0, i64 48
  %6 = load ptr, ptr %5, align 8
  %7 = getelementptr inbounds nuw i8, ptr %6, i64 16
  %8 = load i64, ptr %7, align 8
  %9 = icmp sgt i64 %8, 0
  br i1 %9, label %10, label %12

10:
  %11 = getelementptr inbounds nuw i8, ptr %0, i64 40
  br label %13

12:
  ret void

13:
  %14 = phi i64 [ 0, %10 ], [ %17, %13 ]
  %15 = load ptr, ptr %11, align 8
  %16 = getelementptr inbounds nuw i32, ptr %15, i64 %14
  store i32 0, ptr %16, align 4
  %17 = add nuw nsw i64 %14, 1
  %18 = icmp eq i64 %17, %8
  br i1 %18, label %12, label %13
}

declare <8 x float> @llvm.fmuladd.v8f32(<8 x float>, <8 x float>, <8 x float>)

declare float @llvm.fmuladd.f32(float, float, float)

declare <4 x double> @llvm.fmuladd.v4f64(<4 x double>, <4 x double>, <4 x double>)

declare double @llvm.fmuladd.f64(double, double, double)

declare i64 @llvm.smin.i64(i64, i64)

declare i64 @llvm.umin.i64(i64, i64)
